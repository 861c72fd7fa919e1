#pragma once

#include <memory>

#include "core/backend.hpp"
#include "core/linear_operator.hpp"

namespace recon {

/// Approximate inverse of F^H W F + lambda Q(0) by a circulant one [Chan 1988]:
///
///     M^-1 = crop FFT^-1 diag(1 / max(P(g) + lambda Q(0), floor Q(0))) FFT pad,
///     P(g) = sum_j Q(j) prod_axis (1 - |j| / N) exp(-i 2 pi g.j / G),
///
/// P being the sampling density smoothed over a cell of k-space, never negative. It evens out what is sampled more
/// densely than the mean; the floor keeps it from amplifying what is hardly sampled.
/// Self-adjoint and positive definite. Coils do not enter: sum |S|^2 is taken as even.
class CirculantPreconditioner final : public LinearOperator {
public:
    /// @param q  on VoxelGrid::differences, in double
    CirculantPreconditioner(Backend& backend, PerAxis<Index> matrix_size, ConstArrayView q, double lambda,
                            Precision precision);

private:
    void do_forward(ConstArrayView x, ArrayView y) const override;
    void do_adjoint(ConstArrayView y, ArrayView x) const override { do_forward(y, x); }

    std::unique_ptr<PaddedFftPlan> fft_;
    Array inverse_spectrum_;  ///< [x y z] of the grid, 1 / G^3 included
};

}  // namespace recon
