#pragma once

#include <Eigen/Dense>

#include "core/operators/linear_operator.hpp"

namespace recon::test {

/// A matrix as an operator, on host memory: the oracle for solvers and operator algebra.
class DenseOperator final : public LinearOperator {
public:
    DenseOperator(Backend& backend, Eigen::MatrixXcd matrix)
        : LinearOperator("matrix", backend, {{"column", matrix.cols()}}, {{"row", matrix.rows()}}, Precision::double_),
          matrix_(std::move(matrix)) {}

private:
    using ConstVector = Eigen::Map<const Eigen::VectorXcd>;

    static void apply(const Eigen::MatrixXcd& matrix, ConstArrayView in, ArrayView out) {
        const std::vector<cdouble> host = download<double>(in);
        const Eigen::VectorXcd result = matrix * ConstVector(host.data(), matrix.cols());
        upload(std::span<const cdouble>(result.data(), result.size()), out);
    }
    void do_forward(ConstArrayView x, ArrayView y) const override { apply(matrix_, x, y); }
    void do_adjoint(ConstArrayView y, ArrayView x) const override { apply(matrix_.adjoint(), y, x); }

    Eigen::MatrixXcd matrix_;
};

}  // namespace recon::test
