#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/mri/metrics/image_metrics.hpp"
#include "gpu/ladder/ladder_step.hpp"

namespace recon::ladder {

/// What becomes of a step's errors in the image.
struct ImageRecord {
    std::string skipped;      ///< why; empty if it was reconstructed
    Deviation from_truth{};   ///< the step's image against the phantom
    Deviation from_double{};  ///< the step's image against the one made with Q and F^H d in double
};

/// The task of an image: a scan of the brain phantom along cones, one coil, and its reconstruction by conjugate
/// gradients with Q in Toeplitz form. The solver computes in double, so that what differs between steps is their Q and
/// F^H d.
class ImageTask {
public:
    static constexpr int iterations = 20;
    static constexpr double snr = 30;

    /// @param backend  where the solver runs. @throws UsageError if the size is no matrix size of cones
    ImageTask(Index size, Backend& backend);

    std::string description() const;
    /// The image made with exact sums in double, against the phantom: no step can be expected to be better.
    Deviation best() const { return best_; }
    double pair_count(Sum sum) const { return problems_[sum == Sum::q ? 0 : 1].pair_count(); }
    /// @throws what the step throws
    ImageRecord reconstruct(const Step& step, const Devices& devices) const;

private:
    std::vector<cfloat> solve(const std::vector<cfloat>& half_of_q, const std::vector<cfloat>& fhd) const;
    std::vector<cfloat> exact_sum(Sum sum) const;

    Backend& backend_;
    PerAxis<Index> matrix_size_;
    Problem problems_[2];  ///< Q on half of the voxel differences, F^H d on the voxels
    std::vector<cdouble> truth_;
    std::vector<cdouble> double_image_;
    Deviation best_{};
};

}  // namespace recon::ladder
