#include "app/calibration_off_resonance.hpp"

#include <numeric>

#include "core/mri/resample.hpp"

namespace recon {
namespace {

/// Far below what tells the coils' images from each other.
constexpr double tolerance = 1e-4;

std::vector<float> coarse(std::span<const float> map, const PerAxis<Index>& matrix_size,
                          const PerAxis<Index>& coarse_size) {
    Geometry fine, target;
    fine.matrix_size = matrix_size;
    target.matrix_size = coarse_size;
    fine.field_of_view_mm = target.field_of_view_mm = {1, 1, 1};
    return map.empty() ? std::vector<float>() : resample(map, fine, target, "off-resonance map").voxels;
}

}  // namespace

CalibrationOffResonance::CalibrationOffResonance(const OffResonanceMaps& maps, const PerAxis<Index>& matrix_size,
                                                 const PerAxis<Index>& coarse_size, std::vector<float> times_s)
    : off_resonance_hz_(coarse(maps.off_resonance_hz, matrix_size, coarse_size)),
      relaxation_rate_per_s_(coarse(maps.relaxation_rate_per_s, matrix_size, coarse_size)) {
    const double mean = std::accumulate(times_s.begin(), times_s.end(), 0.0) / static_cast<double>(times_s.size());
    for (float& time : times_s) {
        time = static_cast<float>(time - mean);
    }
    of_sums_ = TimeSegments::fit(RateHistogram::of(this->maps()), times_s, tolerance);
    of_toeplitz_ = TimeSegments::fit(RateHistogram::of_pairs(this->maps()), times_s, tolerance);
}

}  // namespace recon
