#pragma once

#include <array>

#include "core/base/types.hpp"

namespace recon {

/// A solid ellipsoid in 1 to 3 dimensions, convolved with the standard normal density.
class RoundedEllipsoid {
public:
    /// @param level  M of r^T M r <= 1, symmetric, of which the first `dimension` rows and columns count
    RoundedEllipsoid(int dimension, const std::array<PerAxis<double>, 3>& level);

    /// 1 far inside and 0 far outside, to about 1e-5. @param r  from the centre, as many numbers as dimensions
    double value(const PerAxis<double>& r) const;

private:
    int dimension_;
    PerAxis<double> semi_axes_{};  ///< ascending
    std::array<PerAxis<double>, 3> directions_{};
};

}  // namespace recon
