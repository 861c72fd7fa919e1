#include "app/reconstruction/coils/calibration_off_resonance.hpp"

#include "core/mri/grids/resample.hpp"
#include "core/mri/sample_times.hpp"

namespace recon {
namespace {

/// Far below what tells the coils' images from each other.
constexpr double tolerance = 1e-4;

std::vector<float> coarse(std::span<const float> map, const PerAxis<Index>& matrix_size,
                          const PerAxis<Index>& coarse_size) {
    return map.empty() ? std::vector<float>() : resample(map, matrix_size, coarse_size, "off-resonance map");
}

}  // namespace

CalibrationOffResonance::CalibrationOffResonance(const OffResonanceMaps& maps, const PerAxis<Index>& matrix_size,
                                                 const PerAxis<Index>& coarse_size, std::vector<float> times_s)
    : off_resonance_hz_(coarse(maps.off_resonance_hz, matrix_size, coarse_size)),
      relaxation_rate_per_s_(coarse(maps.relaxation_rate_per_s, matrix_size, coarse_size)) {
    times_s = from_their_mean(std::move(times_s));
    of_sums_ = TimeSegments::fit(RateHistogram::of(this->maps()), times_s, tolerance);
    of_toeplitz_ = TimeSegments::fit(RateHistogram::of_pairs(this->maps()), times_s, tolerance);
}

}  // namespace recon
