#include "solver/conjugate_gradient.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <utility>

#include "core/base/error.hpp"
#include "core/operators/operator_algebra.hpp"
#include "tests/support/backends.hpp"
#include "tests/support/dense_operator.hpp"
#include "tests/support/error_matchers.hpp"
#include "tests/support/random.hpp"

namespace recon {
namespace {

using test::DenseOperator;

class ConjugateGradient : public test::EveryBackend {
protected:
    static constexpr int size = 12;

    static Eigen::MatrixXcd random_matrix() {
        const std::vector<cdouble> values = test::random_values(size * size, 5);
        return Eigen::Map<const Eigen::MatrixXcd>(values.data(), size, size);
    }
    Array zero() {
        Array array(*backend_, {{"row", size}}, Precision::double_);
        backend_->fill(0, array);
        return array;
    }

    Eigen::MatrixXcd a_ = random_matrix();
    Eigen::MatrixXcd positive_ = a_.adjoint() * a_ + Eigen::MatrixXcd::Identity(size, size);
    Array b_ = test::random_array(*backend_, {{"row", size}}, Precision::double_, 7);
};

TEST_P(ConjugateGradient, SolvesInAsManyStepsAsThereAreUnknowns) {
    const DenseOperator matrix(*backend_, positive_);
    Array x = zero();
    const CgReport report = solve_cg(matrix, b_, x, {.iterations = size + 3, .stop = 1e-12});
    EXPECT_EQ(report.stopped_by, StopReason::residual);
    EXPECT_LE(report.iterations, size + 3);
    EXPECT_LT(report.true_residual, 1e-11);  // 12 unknowns, condition near 100: a few hundred eps
    const std::vector<cdouble> b = download<double>(b_);
    const Eigen::VectorXcd direct = positive_.ldlt().solve(Eigen::Map<const Eigen::VectorXcd>(b.data(), size));
    EXPECT_LT(test::relative_difference(download<double>(x), {direct.data(), direct.data() + size}), 1e-11);
}

TEST_P(ConjugateGradient, StartsFromTheGivenImage) {
    const DenseOperator matrix(*backend_, positive_);
    Array x = zero();
    solve_cg(matrix, b_, x, {.iterations = 40, .stop = 1e-13});
    const CgReport again = solve_cg(matrix, b_, x, {.iterations = 40, .stop = 1e-10});
    EXPECT_LE(again.iterations, 1);
}

TEST_P(ConjugateGradient, ReportsEveryIterationAndWhyItStopped) {
    const DenseOperator matrix(*backend_, positive_);
    Array x = zero();
    const CgReport report = solve_cg(matrix, b_, x, {.iterations = 3});
    EXPECT_EQ(report.iterations, 3);
    EXPECT_EQ(report.residuals.size(), 3U);
    EXPECT_EQ(report.stopped_by, StopReason::iterations);
    EXPECT_NEAR(report.true_residual, report.residuals.back(), 1e-12);
}

/// Says how many products were asked of a matrix.
class CountedProducts final : public LinearOperator {
public:
    explicit CountedProducts(const LinearOperator& a)
        : LinearOperator("counted " + a.name(), a.backend(), a.domain(), a.codomain(), a.precision()), a_(a) {}

    int take() { return std::exchange(count_, 0); }

private:
    void do_forward(ConstArrayView x, ArrayView y) const override {
        ++count_;
        a_.forward(x, y);
    }
    void do_adjoint(ConstArrayView y, ArrayView x) const override { a_.adjoint(y, x); }

    const LinearOperator& a_;
    mutable int count_ = 0;
};

TEST_P(ConjugateGradient, TakesNoProductMoreThanItNeeds) {
    const DenseOperator matrix(*backend_, positive_);
    CountedProducts counted(matrix);
    Array x = zero(), closed = zero();
    const CgReport open = solve_cg(counted, b_, x, {.iterations = 3, .closes = false});
    EXPECT_EQ(counted.take(), 3);  // of zero there is none
    EXPECT_EQ(open.true_residual, open.residuals.back());
    solve_cg(counted, b_, closed, {.iterations = 3});
    EXPECT_EQ(counted.take(), 4);
    EXPECT_EQ(download<double>(x), download<double>(closed));
    solve_cg(counted, b_, x, {.iterations = 3, .closes = false});
    EXPECT_EQ(counted.take(), 4);
}

TEST_P(ConjugateGradient, StopsWhenTheObserverSaysSo) {
    struct StopAtTwo final : IterationObserver {
        bool iteration_done(int iteration, double, ConstArrayView) override { return iteration < 2; }
    } observer;
    const DenseOperator matrix(*backend_, positive_);
    Array x = zero();
    const CgReport report = solve_cg(matrix, b_, x, {.iterations = 9}, &observer);
    EXPECT_EQ(report.iterations, 2);
    EXPECT_EQ(report.stopped_by, StopReason::cancelled);
}

TEST_P(ConjugateGradient, ZeroRightHandSideGivesZero) {
    const DenseOperator matrix(*backend_, positive_);
    const Array b = zero();
    Array x = b_.clone();
    EXPECT_EQ(solve_cg(matrix, b, x, {}).stopped_by, StopReason::zero_data);
    EXPECT_EQ(norm(x), 0);
}

TEST_P(ConjugateGradient, OperatorThatIsZeroBreaksDownWithoutNonsense) {
    const DenseOperator matrix(*backend_, Eigen::MatrixXcd::Zero(size, size));
    Array x = zero();
    EXPECT_EQ(solve_cg(matrix, b_, x, {}).stopped_by, StopReason::breakdown);
    EXPECT_EQ(norm(x), 0);
}

TEST_P(ConjugateGradient, NumbersThatAreNotFiniteAreAnError) {
    Eigen::MatrixXcd broken = positive_;
    broken(3, 4) = std::numeric_limits<double>::quiet_NaN();
    const DenseOperator matrix(*backend_, broken);
    Array x = zero();
    test::expect_error<InputError>([&] { solve_cg(matrix, b_, x, {}); }, {"iteration 1", "not finite", "scale data"});
}

TEST_P(ConjugateGradient, RegularisedSystemIsTheAlgebraicOne) {
    const DenseOperator a(*backend_, a_);
    const Identity identity(*backend_, a.domain(), a.precision());
    const Normal normal(a);
    const Sum system(normal, 0.5, identity);
    Array x = zero();
    solve_cg(system, b_, x, {.iterations = 60, .stop = 1e-13});
    const Eigen::MatrixXcd direct_matrix = a_.adjoint() * a_ + 0.5 * Eigen::MatrixXcd::Identity(size, size);
    const std::vector<cdouble> b = download<double>(b_);
    const Eigen::VectorXcd direct = direct_matrix.ldlt().solve(Eigen::Map<const Eigen::VectorXcd>(b.data(), size));
    EXPECT_LT(test::relative_difference(download<double>(x), {direct.data(), direct.data() + size}), 1e-10);
}

/// diag(1e6, 1e5, 1, ..., 0.2): two eigenvalues far above the others, as in a scan whose samples crowd at the centre of
/// k-space. Single precision.
class Crowded final : public LinearOperator {
public:
    static constexpr Index size = 400;
    Crowded(Backend& backend, Precision precision)
        : LinearOperator("crowded", backend, {{"n", size}}, {{"n", size}}, precision),
          diagonal_(backend, {{"n", size}}, precision) {
        std::vector<cdouble> values(size);
        for (Index i = 0; i < size; ++i) {
            values[i] = i == 0 ? 1e6 : i == 1 ? 1e5 : 1 - 0.8 * static_cast<double>(i) / size;
        }
        upload(values, diagonal_);
    }

private:
    void do_forward(ConstArrayView x, ArrayView y) const override {
        backend().multiply(Conjugate::no, diagonal_, x, Accumulate::no, y);
    }
    void do_adjoint(ConstArrayView y, ArrayView x) const override { do_forward(y, x); }

    Array diagonal_;
};

double difference_of_precisions(Backend& backend, int guard_vectors) {
    std::vector<std::vector<cdouble>> images;
    for (const Precision precision : {Precision::single, Precision::double_}) {
        const Crowded a(backend, precision);
        const Array b = test::random_array(backend, a.domain(), precision, 3);
        Array x(backend, a.domain(), precision);
        backend.fill(0, x);
        solve_cg(a, b, x, {.iterations = 8, .guard_vectors = guard_vectors});
        images.push_back(download<double>(x));
    }
    return test::relative_difference(images[0], images[1]);
}

TEST_P(ConjugateGradient, GuardVectorsKeepSinglePrecisionAtTheIteratesOfDouble) {
    EXPECT_LT(difference_of_precisions(*backend_, 4), 1e-4);
    EXPECT_GT(difference_of_precisions(*backend_, 0), 1e-2);  // the case is one that needs them
}

INSTANTIATE_TEST_SUITE_P(, ConjugateGradient, test::every_backend(), test::backend_name);

}  // namespace
}  // namespace recon
