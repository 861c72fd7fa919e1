#pragma once

#include <span>
#include <vector>

#include "core/mri/gradients/straight_readouts.hpp"

namespace recon {

/// K-space of the strongest coils between the samples of straight readouts.
class ReadoutValues {
public:
    /// Values of all coils at a place, and their changes along the readout, per cycle per FOV.
    struct Values {
        std::vector<cdouble> values, slopes;
    };
    enum class Slopes { no, yes };

    /// @param kspace  [sample coil], kept by the caller
    ReadoutValues(std::span<const cfloat> kspace, Index coil_count, Index samples_per_readout, Index most_coils);

    std::size_t coil_count() const { return coils_.size(); }
    /// At `along` cycles per FOV of a readout: samples times sin(pi x) / (pi x) under Blackman's window, error below
    /// 1e-3 where the object fills less than 0.8 of what the step of the readout can show; 0 beyond the samples.
    Values at(const StraightReadout& readout, double along, Slopes slopes) const;
    /// The same with no more than so many coils.
    ReadoutValues with_coils(std::size_t most) const;

private:
    std::span<const cfloat> kspace_;
    Index sample_count_;
    Index length_;
    std::vector<Index> coils_;  ///< those with most signal first
};

}  // namespace recon
