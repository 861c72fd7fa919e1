#pragma once

#include "core/backend/array.hpp"
#include "core/backend/white_noise.hpp"

namespace recon {

/// What solvers do with images and samples, element by element. All operands of a call live on this backend, have equal
/// shapes and one precision, unless said otherwise; anything else throws ShapeError, here, before the backend's `do_*`
/// compute. Only `dot` waits for the queue.
class VectorPrimitives {
public:
    virtual ~VectorPrimitives() = default;

    void fill(cdouble value, ArrayView y);
    /// y[i] = number first + i of a stream of WhiteNoise
    void fill_white(std::uint64_t stream, Index first, ArrayView y);
    void copy(ConstArrayView x, ArrayView y);  ///< y = x; the precisions may differ
    void scale(cdouble alpha, ArrayView y);    ///< y = alpha y
    /// y = alpha x + beta y; y is read where beta is 0, too
    void axpby(cdouble alpha, ConstArrayView x, cdouble beta, ArrayView y);
    /// y = m x, or y + m x; `m` conjugated or not. `y` may be `x`.
    void multiply(Conjugate conjugate, ConstArrayView m, ConstArrayView x, Accumulate accumulate, ArrayView y);
    /// y = x / Re d where Re d is positive, and 0 elsewhere. `y` may be `x`.
    void divide(ConstArrayView x, ConstArrayView d, ArrayView y);
    void square_root(ArrayView y);  ///< y = sqrt(Re y) where Re y is positive, and 0 elsewhere
    /// The array with y[size-1-n] = conj(y[n]) whose last elements are `x`, half of them or more; what `x` itself gives
    /// of both becomes their mean.
    void mirror_conjugate(ConstArrayView x, ArrayView y);

    /// result[i] = sum conj(x_i) y, accumulated in double, where x_i are the arrays like y that `x` consists of.
    /// @param result  of double precision, one number for each x_i
    void dots(ConstArrayView x, ConstArrayView y, ArrayView result);
    /// y = y + sum_i coefficients[i] x_i, the coefficients of double precision, the x_i as above
    void add_combination(ConstArrayView coefficients, ConstArrayView x, ArrayView y);
    cdouble dot(ConstArrayView x, ConstArrayView y);  ///< sum conj(x) y, accumulated in double

private:
    virtual void do_fill(cdouble value, ArrayView y) = 0;
    virtual void do_fill_white(const WhiteNoise& noise, Index first, ArrayView y) = 0;
    virtual void do_copy(ConstArrayView x, ArrayView y) = 0;
    virtual void do_scale(cdouble alpha, ArrayView y) = 0;
    virtual void do_axpby(cdouble alpha, ConstArrayView x, cdouble beta, ArrayView y) = 0;
    virtual void do_multiply(Conjugate conjugate, ConstArrayView m, ConstArrayView x, Accumulate accumulate,
                             ArrayView y) = 0;
    virtual void do_divide(ConstArrayView x, ConstArrayView d, ArrayView y) = 0;
    virtual void do_square_root(ArrayView y) = 0;
    virtual void do_mirror_conjugate(ConstArrayView x, ArrayView y) = 0;
    /// @param count  of the x_i
    virtual void do_dots(Index count, ConstArrayView x, ConstArrayView y, ArrayView result) = 0;
    virtual void do_add_combination(Index count, ConstArrayView coefficients, ConstArrayView x, ArrayView y) = 0;

    void require_here(ConstArrayView operand) const;
    void require_like(ConstArrayView x, ConstArrayView y) const;
    Index count_of_vectors(ConstArrayView x, ConstArrayView y, ConstArrayView scalars) const;
};

/// |x|, accumulated in double.
double norm(ConstArrayView x);

}  // namespace recon
