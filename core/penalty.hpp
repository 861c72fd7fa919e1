#pragma once

#include "core/array.hpp"

namespace recon {

/// A convex function f that is easy to minimise beside a square, by its proximal map
///
///     prox(z) = argmin_v  threshold f(v) + |v - z|^2 / 2
class Penalty {
public:
    virtual ~Penalty() = default;

    /// z = prox(z). @param iteration  from 1; penalties that divide the image into blocks choose the division by it,
    ///                                the same in every run
    virtual void proximal(double threshold, int iteration, ArrayView z) const = 0;
    /// f(z); of blocks, with the division of iteration 0
    virtual double value(ConstArrayView z) const = 0;
};

}  // namespace recon
