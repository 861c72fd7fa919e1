#pragma once

#include <span>
#include <vector>

#include "core/operators/circulant_filter.hpp"
#include "core/operators/coil_sensitivity.hpp"
#include "core/operators/linear_operator.hpp"
#include "core/parallel/communicator.hpp"

namespace recon {

/// The best circulant approximation of E^H E = sum_c conj(S_c) Q * (S_c .) in the Frobenius norm [Chan 1988], by its
/// eigenvalues. They are the operator's Rayleigh quotients at the waves e_k(r) = exp(i 2 pi k.r), so none is negative:
///
///     c(k) = e_k^H E^H E e_k / N = 1/N sum_x Q(x) conj(A(x)) exp(-i 2 pi k.x),    A(x) = sum_c sum_r S_c(r + x)
///     conj(S_c(r))
///
/// @param q  on VoxelGrid::differences(matrix_size), of double precision
/// @param coils  those whose normal product this rank computes; no maps mean one coil of sensitivity 1
/// @return [x y z] of circulant_grid, FFT order, of all ranks
std::vector<float> circulant_spectrum(Backend& backend, ConstArrayView q, const CoilSensitivity& coils,
                                      PerAxis<Index> matrix_size, Communicator& ranks = only_rank());

/// x -> crop F^-1 (F pad x / c), F the FFT on circulant_grid: self-adjoint and positive definite.
class CirculantPreconditioner final : public LinearOperator {
public:
    /// @param spectrum  c, [x y z] of circulant_grid, read as real and positive  @throws ShapeError
    CirculantPreconditioner(const Shape& image_shape, ConstArrayView spectrum);
    /// Of a list on the host.  @throws ShapeError unless there are as many, all positive and finite
    CirculantPreconditioner(Backend& backend, const Shape& image_shape, std::span<const double> spectrum,
                            Precision precision);

    /// As CirculantFilter::between.
    void between(ConstArrayView d, ConstArrayView x, Accumulate accumulate, ArrayView y) const {
        inverse_.between(d, x, accumulate, y);
    }

private:
    void do_forward(ConstArrayView x, ArrayView y) const override { inverse_.forward(x, y); }
    void do_adjoint(ConstArrayView y, ArrayView x) const override { inverse_.forward(y, x); }

    CirculantFilter inverse_;
};

/// x -> x / d voxel by voxel.
class DiagonalPreconditioner final : public LinearOperator {
public:
    /// @param diagonal  d, [x y z], real and positive
    explicit DiagonalPreconditioner(Array diagonal);

private:
    void do_forward(ConstArrayView x, ArrayView y) const override;
    void do_adjoint(ConstArrayView y, ArrayView x) const override { do_forward(y, x); }

    Array diagonal_;
};

}  // namespace recon
