#pragma once

#include "core/backend/array.hpp"

namespace recon {

/// A convex function f that is easy to minimise beside a square, by its proximal map
///
///     prox(z) = argmin_v  threshold f(v) + |v - z|^2 / 2
class Penalty {
public:
    virtual ~Penalty() = default;

    /// z = prox(z)
    virtual void proximal(double threshold, ArrayView z) const = 0;
    /// f(z)
    virtual double value(ConstArrayView z) const = 0;
};

}  // namespace recon
