// An operator whose rows are divided over ranks, against the whole matrix on one.
#include <gtest/gtest.h>

#include "core/backend/cpu/cpu_backend.hpp"
#include "core/operators/operator_algebra.hpp"
#include "core/parallel/cpu_communicator.hpp"
#include "core/parallel/run_ranks.hpp"
#include "solver/conjugate_gradient.hpp"
#include "tests/support/dense_operator.hpp"
#include "tests/support/random.hpp"

namespace recon {
namespace {

constexpr Index row_count = 11;
constexpr Index column_count = 4;
constexpr double reduction_rounding = 1e-13;  // some tens of additions in double

class RowsOverRanks : public ::testing::TestWithParam<int> {
protected:
    static Eigen::VectorXcd vector(Index size, unsigned seed) {
        const std::vector<cdouble> values = test::random_values(size, seed);
        return Eigen::Map<const Eigen::VectorXcd>(values.data(), size);
    }
    static Eigen::VectorXcd downloaded(const Array& array) {
        const std::vector<cdouble> values = download<double>(array);
        return Eigen::Map<const Eigen::VectorXcd>(values.data(), array.size());
    }
    static Array uploaded(Backend& backend, const Eigen::VectorXcd& values) {
        Array array(backend, {{"n", values.size()}}, Precision::double_);
        upload(std::span<const cdouble>(values.data(), values.size()), array);
        return array;
    }

    /// Calls job(A of all ranks, the rank's rows, its number) on every rank.
    template <class Job>
    void run(Job&& job) {
        run_ranks(make_cpu_communicators(GetParam()), [&](Communicator& rank) {
            const auto backend = make_cpu_backend(1);
            const Share rows = share_of(row_count, rank);
            const test::DenseOperator own(*backend, matrix_.middleRows(rows.first, rows.count));
            job(AllReduce(own, rank), rows, rank.rank());
        });
    }

    Eigen::MatrixXcd matrix_ = vector(row_count * column_count, 1).reshaped(row_count, column_count);
    Eigen::VectorXcd x_ = vector(column_count, 2);
    Eigen::VectorXcd y_ = vector(row_count, 3);
};

TEST_P(RowsOverRanks, IsTheWholeMatrix) {
    run([&](const AllReduce& a, const Share& rows, int) {
        const Array x = uploaded(a.backend(), x_);
        const Array y = uploaded(a.backend(), y_.segment(rows.first, rows.count));
        Array ax(a.backend(), a.codomain(), a.precision());
        Array ahy(a.backend(), a.domain(), a.precision());
        Array ahax(a.backend(), a.domain(), a.precision());
        a.forward(x, ax);
        a.adjoint(y, ahy);
        a.normal(x, ahax);
        EXPECT_LT((downloaded(ax) - matrix_.middleRows(rows.first, rows.count) * x_).norm(), reduction_rounding);
        EXPECT_LT((downloaded(ahy) - matrix_.adjoint() * y_).norm(), 10 * reduction_rounding);
        EXPECT_LT((downloaded(ahax) - matrix_.adjoint() * (matrix_ * x_)).norm(), 10 * reduction_rounding);
    });
}

TEST_P(RowsOverRanks, ConjugateGradientsSolveTheWholeSystemEverywhere) {
    const Eigen::VectorXcd expected = matrix_.colPivHouseholderQr().solve(y_);
    std::vector<Eigen::VectorXcd> solutions(GetParam());
    run([&](const AllReduce& a, const Share& rows, int rank) {
        Array b(a.backend(), a.domain(), a.precision());
        Array x(a.backend(), a.domain(), a.precision());
        a.backend().fill(0, x);
        a.adjoint(uploaded(a.backend(), y_.segment(rows.first, rows.count)), b);
        solve_cg(Normal(a), b, x, {.iterations = 20, .stop = 1e-14});
        solutions[rank] = downloaded(x);
    });
    for (const Eigen::VectorXcd& solution : solutions) {
        EXPECT_EQ(solution, solutions.front());
        EXPECT_LT((solution - expected).norm(), 1e-10);  // the condition number squared, a few hundred, times rounding
    }
}

INSTANTIATE_TEST_SUITE_P(, RowsOverRanks, ::testing::Values(1, 2, 3, 5));

}  // namespace
}  // namespace recon
