#pragma once

#include <span>

#include "core/base/types.hpp"

namespace recon {

/// What happens to the magnetisation of each voxel after excitation: a factor exp(-z t) with the rate
/// z = R2* + i 2 pi f. Views of maps in host memory, [x y z]; an empty one means 0 everywhere.
struct OffResonanceMaps {
    std::span<const float> off_resonance_hz;
    std::span<const float> relaxation_rate_per_s;  ///< R2*, not negative

    bool empty() const { return off_resonance_hz.empty() && relaxation_rate_per_s.empty(); }
    /// Whether these are views of the same maps.
    bool is_same(const OffResonanceMaps& other) const {
        return off_resonance_hz.data() == other.off_resonance_hz.data() &&
               relaxation_rate_per_s.data() == other.relaxation_rate_per_s.data();
    }
    double frequency_hz(Index voxel) const { return off_resonance_hz.empty() ? 0 : off_resonance_hz[voxel]; }
    double decay_per_s(Index voxel) const { return relaxation_rate_per_s.empty() ? 0 : relaxation_rate_per_s[voxel]; }
    /// z
    cdouble rate_per_s(Index voxel) const { return {decay_per_s(voxel), 2 * pi * frequency_hz(voxel)}; }

    /// @throws ShapeError unless each map is empty or has `voxel_count` numbers, InputError if one of them is not
    /// finite or an R2* is negative
    void require_valid(Index voxel_count) const;
};

/// @throws ShapeError unless there is a time for each sample, InputError if one is not finite
void require_sample_times(std::span<const float> sample_times_s, Index sample_count);

}  // namespace recon
