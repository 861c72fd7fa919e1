#include "core/mri/coils/hermitian_matrix.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "core/base/cancel.hpp"
#include "core/base/threads/on_one_thread.hpp"

namespace recon {
namespace {

using Matrix = Eigen::MatrixXcd;

/// Calls function(first column, count) for blocks of columns, in threads; the blocks do not depend on how many there
/// are.
template <class Function>
void for_each_block(Index column_count, Function&& function) {
    constexpr Index at_once = 32;
    const CancelToken& cancel = cancel_of_this_thread();
#pragma omp parallel for schedule(dynamic)
    for (Index first = 0; first < column_count; first += at_once) {
        if (!cancel.is_due()) {
            function(first, std::min(at_once, column_count - first));
        }
    }
    cancel.check();
}

}  // namespace

namespace RECON_CPU_LEVEL {

void add_gram_matrix(const cdouble* a, Index row_count, Index column_count, cdouble* matrix) {
    const Eigen::Map<const Matrix> rows(a, row_count, column_count);
    Eigen::Map<Matrix> sum(matrix, column_count, column_count);
    for_each_block(column_count, [&](Index first, Index count) {
        const Index below = column_count - first;
        sum.block(first, first, below, count).noalias() +=
            rows.rightCols(below).adjoint() * rows.middleCols(first, count);
    });
}

HermitianSpectrum spectrum_of_hermitian(const std::vector<cdouble>& matrix) {
    const auto column_count = static_cast<Index>(std::lround(std::sqrt(static_cast<double>(matrix.size()))));
    HermitianSpectrum spectrum;
    on_one_thread([&] {
        const Eigen::Tridiagonalization<Matrix> tridiagonal(
            Eigen::Map<const Matrix>(matrix.data(), column_count, column_count));
        Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen;  // real: its rotations cost half of complex ones
        eigen.computeFromTridiagonal(tridiagonal.diagonal(), tridiagonal.subDiagonal());
        const auto values_of = [](const auto& from, auto& to) { to.assign(from.data(), from.data() + from.size()); };
        values_of(eigen.eigenvalues(), spectrum.values);
        values_of(eigen.eigenvectors(), spectrum.tridiagonal_vectors);
        values_of(tridiagonal.packedMatrix(), spectrum.reflectors);
        const Eigen::VectorXcd factors = tridiagonal.householderCoefficients().conjugate();
        values_of(factors, spectrum.reflector_factors);
    });
    return spectrum;
}

std::vector<cdouble> projection_on_largest(const HermitianSpectrum& spectrum, Index count) {
    const auto column_count = static_cast<Index>(spectrum.values.size());
    const Eigen::Map<const Eigen::MatrixXd> tridiagonal_vectors(spectrum.tridiagonal_vectors.data(), column_count,
                                                                column_count);
    Matrix vectors = tridiagonal_vectors.rightCols(count).cast<cdouble>();
    if (column_count > 1) {
        const Eigen::Map<const Matrix> reflectors(spectrum.reflectors.data(), column_count, column_count);
        const Eigen::Map<const Eigen::VectorXcd> factors(spectrum.reflector_factors.data(), column_count - 1);
        for_each_block(count, [&](Index first, Index block) {
            Matrix turned = vectors.middleCols(first, block);
            turned.applyOnTheLeft(
                Eigen::householderSequence(reflectors, factors).setLength(column_count - 1).setShift(1));
            vectors.middleCols(first, block) = turned;
        });
    }
    std::vector<cdouble> projection(column_count * column_count);
    Eigen::Map<Matrix> sum(projection.data(), column_count, column_count);
    for_each_block(column_count, [&](Index first, Index block) {
        const Index below = column_count - first;
        sum.block(first, first, below, block).noalias() =
            vectors.bottomRows(below) * vectors.middleRows(first, block).adjoint();
    });
    return projection;
}

}  // namespace RECON_CPU_LEVEL

}  // namespace recon
