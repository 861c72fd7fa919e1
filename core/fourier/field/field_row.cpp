#include "core/fourier/field/field_row.hpp"

#include <Eigen/Dense>

namespace recon {
namespace {

using Matrix = Eigen::MatrixXcf;
using Vector = Eigen::VectorXcf;

}  // namespace

namespace RECON_CPU_LEVEL {

void sum_terms(const cfloat* coefficients, Index count, Index terms, const cfloat* phases, cfloat* sums) {
    Eigen::Map<Vector>(sums, count).noalias() =
        Eigen::Map<const Matrix>(coefficients, count, terms) * Eigen::Map<const Vector>(phases, terms);
}

void field_row_values(const cfloat* coefficients, Index component_count, Index terms, const cfloat* phases,
                      Index voxel_count, cfloat* values) {
    Eigen::Map<Matrix>(values, voxel_count, component_count).noalias() =
        Eigen::Map<const Matrix>(phases, terms, voxel_count).transpose() *
        Eigen::Map<const Matrix>(coefficients, component_count, terms).transpose();
}

}  // namespace RECON_CPU_LEVEL

}  // namespace recon
