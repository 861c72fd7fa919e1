#include "app/reconstruction/check/fits/band_plan.hpp"

#include "app/reconstruction/check/fits/calibration_probe.hpp"
#include "core/mri/density_compensation.hpp"

namespace recon {
namespace {

constexpr SumsOptions sums_options{SumsMethod::automatic, 1e-4, Precision::single};

}  // namespace

BandPlan::BandPlan(const Scan& probe, const PerAxis<Index>& band, Backend& backend)
    : source_(probe.frames.front().trajectory), image_(Shape::image(probe.geometry.matrix_size)) {
    const PerAxis<Index>& matrix_size = probe.geometry.matrix_size;
    for (Index m = 0; m < source_->sample_count(); ++m) {
        if (is_in_band(*source_, m, band)) {
            inside_.push_back(m);
            for (int axis = 0; axis < 3; ++axis) {
                trajectory_.k[axis].push_back(source_->k[axis][m]);
            }
        }
    }
    if (inside_.empty()) {
        return;
    }
    constexpr int rough = 5;
    weights_ = pipe_menon_weights(backend, trajectory_, matrix_size, rough);
    const VoxelGrid grid = VoxelGrid::image(matrix_size);
    sums_ = make_fourier_sums(backend, trajectory_,
                              choose_sums(backend, sums_options, sample_count(), grid, probe.coil_count));
}

std::vector<cfloat> BandPlan::kspace_of(const Scan& probe) const {
    const Frame& frame = probe.frames.front();
    std::vector<cfloat> kspace;
    kspace.reserve(inside_.size() * static_cast<std::size_t>(probe.coil_count));
    for (Index coil = 0; coil < probe.coil_count; ++coil) {
        for (const Index m : inside_) {
            kspace.push_back(frame.kspace[static_cast<std::size_t>(coil * frame.sample_count() + m)]);
        }
    }
    return kspace;
}

void BandPlan::put_into(std::vector<cfloat>& all, const std::vector<cfloat>& values) const {
    auto value = values.begin();
    for (Index coil = 0; value != values.end(); ++coil) {
        for (const Index m : inside_) {
            all[static_cast<std::size_t>(coil * source_->sample_count() + m)] = *value++;
        }
    }
}

}  // namespace recon
