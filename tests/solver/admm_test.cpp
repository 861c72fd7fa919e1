#include "solver/admm.hpp"

#include <cmath>
#include <limits>

#include "core/backend/backend.hpp"
#include "core/base/error.hpp"
#include "core/operators/operator_algebra.hpp"
#include "core/operators/penalties/joint_sparsity.hpp"
#include "tests/support/backends.hpp"
#include "tests/support/dense_operator.hpp"
#include "tests/support/random.hpp"

namespace recon {
namespace {

using Eigen::MatrixXcd;
using Eigen::VectorXcd;
using test::DenseOperator;

class AdmmOnEveryBackend : public test::EveryBackend {
protected:
    Array array_of(const VectorXcd& values) {
        Array array(*backend_, {{"n", values.size()}}, Precision::double_);
        upload(std::span<const cdouble>(values.data(), values.size()), array);
        return array;
    }
    static VectorXcd random_vector(Index size, unsigned seed) {
        const std::vector<cdouble> values = test::random_values(size, seed);
        return Eigen::Map<const VectorXcd>(values.data(), size);
    }
    static MatrixXcd random_matrix(Index rows, Index columns, unsigned seed) {
        const std::vector<cdouble> values = test::random_values(rows * columns, seed);
        return Eigen::Map<const MatrixXcd>(values.data(), rows, columns);
    }
    static MatrixXcd differences(Index size) {
        MatrixXcd d = MatrixXcd::Zero(size - 1, size);
        for (Index i = 0; i + 1 < size; ++i) {
            d(i, i) = -1;
            d(i, i + 1) = 1;
        }
        return d;
    }

    /// argmin <x, N x> / 2 - Re <b, x> + weight f(Phi x), from zero.
    VectorXcd solve(const MatrixXcd& n, const VectorXcd& b, const MatrixXcd& phi, double weight,
                    const AdmmOptions& options = exactly(), double coupling = 1) {
        const DenseOperator system(*backend_, n);
        const DenseOperator transform(*backend_, phi);
        Admm admm(system, {{transform, l1_, weight, coupling}});
        Array x = array_of(VectorXcd::Zero(b.size()));
        report_ = admm.solve(array_of(b), x, options);
        const std::vector<cdouble> values = download<double>(x);
        return Eigen::Map<const VectorXcd>(values.data(), b.size());
    }
    static AdmmOptions exactly() { return {.iterations = 2000, .stop = 1e-9, .inner_iterations = 100}; }

    const JointSparsity l1_{1};
    AdmmReport report_;
};

/// |v| <= weight, and v = weight z / |z| where z is not zero: v is in weight times the subdifferential of |.| at z. The
/// second one is tested as Re(conj(z) v) = weight |z|, which forgives a z that is zero but for rounding.
void expect_subgradient(const VectorXcd& v, const VectorXcd& z, double weight, double tolerance) {
    const double scale = z.cwiseAbs().maxCoeff() + 1;
    for (Index i = 0; i < v.size(); ++i) {
        EXPECT_LE(std::abs(v[i]), weight * (1 + tolerance)) << i;
        EXPECT_NEAR((std::conj(z[i]) * v[i]).real(), weight * std::abs(z[i]), tolerance * weight * scale) << i;
    }
}

TEST_P(AdmmOnEveryBackend, WithIdentitiesItIsTheSoftThreshold) {
    const VectorXcd b = random_vector(15, 1);
    const MatrixXcd one = MatrixXcd::Identity(15, 15);
    const VectorXcd x = solve(one, b, one, 0.9);
    EXPECT_EQ(report_.stopped_by, StopReason::residual);
    for (Index i = 0; i < 15; ++i) {
        EXPECT_LT(std::abs(x[i] - b[i] * std::max(0.0, 1 - 0.9 / std::abs(b[i]))), 1e-7) << i;  // 100 x stop
    }
}

/// A step of 4 and 6 voxels: total variation moves either side towards the other by weight / voxels.
TEST_P(AdmmOnEveryBackend, TotalVariationOfAStepIsTheKnownOne) {
    VectorXcd b(10);
    b << 1, 1, 1, 1, 5, 5, 5, 5, 5, 5;
    const VectorXcd x = solve(MatrixXcd::Identity(10, 10), b, differences(10), 0.6);
    for (Index i = 0; i < 10; ++i) {
        EXPECT_LT(std::abs(x[i] - (i < 4 ? 1 + 0.6 / 4 : 5 - 0.6 / 6)), 1e-6) << i;
    }
}

/// Optimality of 1-D total variation: the running sums u of b - x are subgradients at the differences of x, and end at
/// 0.
TEST_P(AdmmOnEveryBackend, TotalVariationOfNoiseIsOptimal) {
    const Index size = 40;
    VectorXcd b = random_vector(size, 3);
    for (Index i = 0; i < size; ++i) {
        b[i] += i < 13 ? 3.0 : i < 29 ? -1.0 : 2.0;
    }
    const VectorXcd x = solve(MatrixXcd::Identity(size, size), b, differences(size), 2.0);
    VectorXcd u(size - 1);
    cdouble sum = 0;
    for (Index i = 0; i + 1 < size; ++i) {
        sum += x[i] - b[i];
        u[i] = sum;
    }
    EXPECT_LT(std::abs(sum + x[size - 1] - b[size - 1]), 1e-6);
    expect_subgradient(u, differences(size) * x, 2.0, 1e-5);         // b - x = D^H u: x[i+1] - x[i] along u[i]
    EXPECT_LT((differences(size) * x).cwiseAbs().minCoeff(), 1e-6);  // some neighbours have become one
}

/// The gradient of the smooth part is minus a subgradient: fewer equations than unknowns, so that only the l1 norm
/// makes the solution what it is.
TEST_P(AdmmOnEveryBackend, LassoOfAnUnderdeterminedSystemIsOptimal) {
    const MatrixXcd a = random_matrix(12, 30, 5);
    VectorXcd truth = VectorXcd::Zero(30);
    truth[3] = {2, 1};
    truth[17] = {-1, 3};
    const VectorXcd b = a.adjoint() * (a * truth + 0.05 * random_vector(12, 6));
    const MatrixXcd normal = a.adjoint() * a;
    const VectorXcd x = solve(normal, b, MatrixXcd::Identity(30, 30), 0.8);
    EXPECT_EQ(report_.stopped_by, StopReason::residual);
    expect_subgradient(b - normal * x, x, 0.8, 1e-5);
    EXPECT_LT((x - truth).norm(), 0.1 * truth.norm());  // it is found, but for the bias
    EXPECT_GT((normal.completeOrthogonalDecomposition().solve(b) - truth).norm(), 0.5 * truth.norm());
}

TEST_P(AdmmOnEveryBackend, TheCouplingToStartWithDoesNotMatter) {
    const MatrixXcd a = random_matrix(12, 20, 7);
    const MatrixXcd normal = a.adjoint() * a;
    const VectorXcd b = a.adjoint() * random_vector(12, 8);  // in the range of the normal matrix: there is a minimum
    const VectorXcd x = solve(normal, b, differences(20), 1.0);
    for (const double coupling : {1e-3, 1e3}) {
        const VectorXcd other = solve(normal, b, differences(20), 1.0, exactly(), coupling);
        EXPECT_EQ(report_.stopped_by, StopReason::residual) << coupling;
        EXPECT_LT((other - x).norm(), 1e-5 * x.norm()) << coupling;
    }
}

/// Two terms and a quadratic one at once: optimal if the gradient is minus a sum of subgradients. With both Phi known,
/// the objective at the solution is below those around it by what strong convexity asks.
TEST_P(AdmmOnEveryBackend, SeveralTermsAreMinimisedTogether) {
    const Index size = 16;
    const MatrixXcd a = random_matrix(size, size, 9);
    const MatrixXcd normal = a.adjoint() * a + 0.5 * MatrixXcd::Identity(size, size);
    const VectorXcd b = random_vector(size, 10) * 5;
    const DenseOperator system(*backend_, normal);
    const DenseOperator d(*backend_, differences(size));
    const Identity identity(*backend_, d.domain(), Precision::double_);
    Admm admm(system, {{d, l1_, 1.5, 1}, {identity, l1_, 0.7, 1}});
    Array x = array_of(VectorXcd::Zero(size));
    const AdmmReport report = admm.solve(array_of(b), x, exactly());
    EXPECT_EQ(report.stopped_by, StopReason::residual);
    EXPECT_EQ(report.couplings.size(), 2U);
    const std::vector<cdouble> values = download<double>(x);
    const VectorXcd solution = Eigen::Map<const VectorXcd>(values.data(), size);
    const auto objective = [&](const VectorXcd& v) {
        return (v.adjoint() * normal * v)(0).real() / 2 - (b.adjoint() * v)(0).real() +
               1.5 * (differences(size) * v).cwiseAbs().sum() + 0.7 * v.cwiseAbs().sum();
    };
    EXPECT_NEAR(report.objectives.back(), objective(solution), 1e-10 * std::abs(objective(solution)));
    for (unsigned seed = 20; seed < 40; ++seed) {
        const VectorXcd step = 1e-2 * random_vector(size, seed);
        EXPECT_GT(objective(solution + step), objective(solution) + 0.5 * step.squaredNorm() / 2 - 1e-6);
    }
}

TEST_P(AdmmOnEveryBackend, ANewWeightStartsWhereTheLastOneEnded) {
    const MatrixXcd a = random_matrix(30, 30, 11);
    const DenseOperator system(*backend_, a.adjoint() * a + MatrixXcd::Identity(30, 30));
    const DenseOperator d(*backend_, differences(30));
    const Array b = array_of(random_vector(30, 12) * 10);
    const AdmmOptions options{.iterations = 1000, .stop = 1e-6, .inner_iterations = 100};
    Admm path(system, {{d, l1_, 1.0, 1}});
    Array x = array_of(VectorXcd::Zero(30));
    path.solve(b, x, options);
    path.set_weight(0, 1.1);
    const AdmmReport warm = path.solve(b, x, options);
    Admm anew(system, {{d, l1_, 1.1, 1}});
    Array y = array_of(VectorXcd::Zero(30));
    const AdmmReport cold = anew.solve(b, y, options);
    EXPECT_LT(test::relative_difference(download<double>(x), download<double>(y)), 1e-4);
    EXPECT_LT(warm.inner_iterations, cold.inner_iterations);
    const int again = path.solve(b, x, options).iterations;
    EXPECT_LE(again, 2);
}

TEST_P(AdmmOnEveryBackend, ReportsEveryIterationAndWhyItStopped) {
    const MatrixXcd a = random_matrix(8, 8, 13);
    const MatrixXcd normal = a.adjoint() * a;
    solve(normal, random_vector(8, 14), differences(8), 0.5, {.iterations = 4, .stop = 0});
    EXPECT_EQ(report_.iterations, 4);
    EXPECT_EQ(report_.stopped_by, StopReason::iterations);
    EXPECT_GE(report_.inner_iterations, 4);
    EXPECT_EQ(report_.residuals.size(), 4U);
    EXPECT_EQ(report_.objectives.size(), 4U);
    for (int i = 0; i < 4; ++i) {
        EXPECT_EQ(report_.residuals[i], std::max(report_.primal_residuals[i], report_.dual_residuals[i]));
    }
    solve(normal, VectorXcd::Zero(8), differences(8), 0.5);
    EXPECT_EQ(report_.stopped_by, StopReason::zero_data);
}

TEST_P(AdmmOnEveryBackend, StopsWhenTheObserverSaysSo) {
    struct StopAtTwo final : IterationObserver {
        bool iteration_done(int iteration, double, ConstArrayView) override { return iteration < 2; }
    } observer;
    const DenseOperator system(*backend_, MatrixXcd::Identity(5, 5));
    Admm admm(system, {{system, l1_, 0.1, 1}});
    Array x = array_of(VectorXcd::Zero(5));
    const AdmmReport report = admm.solve(array_of(random_vector(5, 1)), x, {.stop = 0}, &observer);
    EXPECT_EQ(report.iterations, 2);
    EXPECT_EQ(report.stopped_by, StopReason::cancelled);
}

TEST_P(AdmmOnEveryBackend, NonsenseIsRefused) {
    MatrixXcd broken = MatrixXcd::Identity(5, 5);
    const DenseOperator identity(*backend_, broken);
    EXPECT_THROW(Admm(identity, {{identity, l1_, 0, 1}}), Error);
    EXPECT_THROW(Admm(identity, {{identity, l1_, 1, -1}}), Error);
    broken(2, 2) = std::numeric_limits<double>::quiet_NaN();
    EXPECT_THROW(solve(broken, random_vector(5, 2), MatrixXcd::Identity(5, 5), 0.5), Error);
}

INSTANTIATE_TEST_SUITE_P(, AdmmOnEveryBackend, test::every_backend(), test::backend_name);

}  // namespace
}  // namespace recon
