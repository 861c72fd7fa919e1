#include "solver/lambda/lambda_selection.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/base/error.hpp"
#include "core/operators/operator_algebra.hpp"
#include "data/simulation/noise.hpp"
#include "solver/conjugate_gradient.hpp"
#include "tests/support/backends.hpp"
#include "tests/support/dense_operator.hpp"
#include "tests/support/random.hpp"

namespace recon {
namespace {

using test::DenseOperator;
using Vector = Eigen::VectorXcd;

/// A smoothing matrix, data with noise, and everything that a path of lambdas should find, by linear algebra.
class LambdaSelection : public test::EveryBackend {
protected:
    static constexpr int rows = 140, columns = 60;
    static constexpr double sigma = 0.05;

    LambdaSelection() {
        const std::vector<cdouble> values = test::random_values(rows * columns, 3);
        a_ = Eigen::Map<const Eigen::MatrixXcd>(values.data(), rows, columns) / std::sqrt(1.0 * rows);
        for (int column = 0; column < columns; ++column) {
            a_.col(column) *= std::exp(-5.0 * column / columns);
        }
        for (int i = 0; i + 1 < columns; ++i) {  // first differences
            w_(i, i) = -1;
            w_(i, i + 1) = 1;
        }
        truth_ = Vector::Zero(columns);
        for (int i = 0; i < columns; ++i) {
            truth_(i) = cdouble(1, 0.3 * i / columns);
        }
        std::vector<cfloat> noise(rows, cfloat(0));
        add_noise(noise, sigma, 2, 0);
        data_ = a_ * truth_;
        for (int m = 0; m < rows; ++m) {
            data_(m) += cdouble(noise[m]);
        }
    }

    Array upload_vector(const Vector& v) {
        Array array(*backend_, {{"column", v.size()}}, Precision::double_);
        upload(std::span<const cdouble>(v.data(), v.size()), array);
        return array;
    }
    static Vector vector_of(ConstArrayView x) {
        const std::vector<cdouble> host = download<double>(x);
        return Eigen::Map<const Vector>(host.data(), static_cast<Index>(host.size()));
    }
    Eigen::MatrixXcd system(double lambda) const { return a_.adjoint() * a_ + lambda * w_.adjoint() * w_; }

    LambdaChoice choose(const LambdaSearch& search, Array& x, int probe_count = 20,
                        LambdaProblem::Response response = LambdaProblem::Response::linear,
                        const LambdaObserver& observer = {}) {
        const DenseOperator normal(*backend_, a_.adjoint() * a_);
        const DenseOperator penalty(*backend_, w_.adjoint() * w_);
        const Array right_side = upload_vector(a_.adjoint() * data_);
        std::vector<Array> probes, image_probes;
        for (int i = 0; i < probe_count; ++i) {
            std::vector<cfloat> noise(rows, cfloat(0));
            add_noise(noise, 1, 9, i);
            Vector n(rows);
            for (int m = 0; m < rows; ++m) {
                n(m) = cdouble(noise[m]);
            }
            probes.push_back(upload_vector(a_.adjoint() * n));
            image_probes.push_back(upload_vector(a_.adjoint() * density_.asDiagonal() * n));
        }
        LambdaProblem problem{.response = response, .normal = normal, .right_side = right_side};
        problem.data_energy = data_.squaredNorm();
        problem.data = {rows, density_.sum(), sigma * sigma};
        problem.image_probes.assign(image_probes.begin(), image_probes.end());
        problem.image_misfit = [&](ConstArrayView v) { return weighted_misfit(vector_of(v)); };
        problem.image_energy = [&](ConstArrayView v) {
            return (density_.cwiseSqrt().asDiagonal() * Vector(a_ * vector_of(v))).squaredNorm();
        };
        problem.misfit_tolerance = 1e-14;
        problem.probes.assign(probes.begin(), probes.end());
        problem.solve = [&](double lambda, ConstArrayView b, ArrayView out, double energy_stop) {
            const Sum whole(normal, lambda, penalty);
            return solve_cg(whole, b, out, {.iterations = 500, .stop = 1e-11, .energy_stop = energy_stop}).iterations;
        };
        problem.penalty = [&](ConstArrayView v) {
            Array product(*backend_, v.shape(), v.precision());
            penalty.forward(v, product);
            return backend_->dot(v, product).real();
        };
        backend_->fill(0, x);
        return choose_lambda(problem, search, x, observer);
    }
    double weighted_misfit(const Vector& v) const {
        return (density_.cwiseSqrt().asDiagonal() * Vector(a_ * v - data_)).squaredNorm();
    }
    Array image() { return Array(*backend_, {{"column", columns}}, Precision::double_); }

    Eigen::MatrixXcd a_;
    Eigen::MatrixXcd w_ = Eigen::MatrixXcd::Zero(columns - 1, columns);
    Vector truth_;
    Vector data_;
    Eigen::VectorXd density_ = Eigen::VectorXd::LinSpaced(rows, 0.2, 2.5);
};

TEST_P(LambdaSelection, CurveIsThatOfLinearAlgebra) {
    Array x = image();
    const LambdaChoice choice = choose({.method = LambdaMethod::risk}, x);
    ASSERT_GT(choice.curve.size(), 5U);
    EXPECT_TRUE(std::is_sorted(choice.curve.begin(), choice.curve.end(),
                               [](const auto& a, const auto& b) { return a.lambda < b.lambda; }));
    for (const LambdaPoint& point : choice.curve) {
        const Eigen::MatrixXcd inverse =
            system(point.lambda).ldlt().solve(Eigen::MatrixXcd::Identity(columns, columns));
        const Vector solution = inverse * (a_.adjoint() * data_);
        const double misfit = (a_ * solution - data_).squaredNorm();
        const double freedom = (a_ * inverse * a_.adjoint()).trace().real();
        // the energy is good to a few 1e-5 of the misfit; the misfit sees 2 sqrt of that, lambda |W x|^2 being below it
        EXPECT_NEAR(point.misfit, misfit, 0.02 * misfit) << point.lambda;
        // 20 draws of a quadratic form in complex Gaussian numbers: variance sum s_i^2 < freedom, 4 standard deviations
        EXPECT_NEAR(point.freedom, freedom, 4 * std::sqrt(freedom / 20) + 0.01 * freedom) << point.lambda;
        // |W (x + e)|^2 - |W x|^2 with |W e|^2 < 5e-5 misfit / lambda; for small lambda that says nothing
        if (point.lambda >= 1e-2) {
            const double penalty = (w_ * solution).squaredNorm(), error = 5e-5 * misfit / point.lambda;
            EXPECT_NEAR(point.penalty, penalty, 2 * std::sqrt(penalty * error) + error) << point.lambda;
        }
    }
}

TEST_P(LambdaSelection, WeightedCurveIsThatOfLinearAlgebra) {
    Array x = image();
    const LambdaChoice choice = choose({.method = LambdaMethod::image}, x);
    ASSERT_GT(choice.curve.size(), 5U);
    for (const LambdaPoint& point : choice.curve) {
        const Eigen::MatrixXcd inverse =
            system(point.lambda).ldlt().solve(Eigen::MatrixXcd::Identity(columns, columns));
        const double misfit = weighted_misfit(inverse * (a_.adjoint() * data_));
        const double freedom = (density_.asDiagonal() * (a_ * inverse * a_.adjoint())).trace().real();
        // as in the test above; D scales the error by 2.5 at most
        EXPECT_NEAR(point.image_misfit, misfit, 0.04 * misfit) << point.lambda;
        // as in the test above; D scales each term by 2.5 at most
        EXPECT_NEAR(point.image_freedom, freedom, 2.5 * 4 * std::sqrt(freedom / 20) + 0.01 * freedom) << point.lambda;
        // the mean of 20 draws of sum v_i |n_i|^2, n complex Gaussian: variance sum v_i^2 / 20
        const Eigen::MatrixXcd of_image = inverse * a_.adjoint() * a_ * inverse;
        EXPECT_NEAR(point.image_noise, of_image.trace().real(), 4 * of_image.norm() / std::sqrt(20.0)) << point.lambda;
        const Eigen::MatrixXcd seen = of_image * a_.adjoint() * density_.asDiagonal() * a_;
        const double deviation = 4 * std::sqrt((seen * seen).trace().real() / 20);
        EXPECT_NEAR(point.seen_noise, seen.trace().real(), deviation + 0.01 * seen.trace().real()) << point.lambda;
    }
    const Eigen::MatrixXcd weighted = a_.adjoint() * density_.asDiagonal() * a_;
    const Eigen::MatrixXcd probe = a_.adjoint() * Eigen::MatrixXcd(density_.cwiseAbs2().asDiagonal()) * a_;
    const double gain = (weighted * probe).trace().real() / probe.trace().real();
    EXPECT_NEAR(choice.data.image_gain, gain, 0.1 * gain);
}

/// All but the L-curve, whose corner need not be anywhere near it (docs/lambda.md; unit tests have its formula).
TEST_P(LambdaSelection, MethodsThatMeasureAnErrorComeNearTheLeast) {
    const auto error = [&](double lambda) {
        return (system(lambda).ldlt().solve(a_.adjoint() * data_) - truth_).norm() / truth_.norm();
    };
    double best = 1e300;
    for (double exponent = -7; exponent <= 4; exponent += 0.1) {
        best = std::min(best, error(std::pow(10.0, exponent)));
    }
    for (const LambdaMethod method :
         {LambdaMethod::image, LambdaMethod::risk, LambdaMethod::gcv, LambdaMethod::discrepancy}) {
        Array x = image();
        const LambdaChoice choice = choose({.method = method}, x);
        // the truth is smooth, so that errors are small over decades of lambda; without W it is
        EXPECT_GT(error(1e-7), 5 * best);
        EXPECT_LT(error(choice.lambda), 2 * best) << name_of(method) << " lambda " << choice.lambda;
    }
}

TEST_P(LambdaSelection, FiniteDifferencesGiveTheDegreesOfFreedomOfALinearProblemToo) {
    Array x = image();
    const LambdaChoice linear = choose({.method = LambdaMethod::risk, .refinements = 0}, x, 3);
    const LambdaChoice nonlinear =
        choose({.method = LambdaMethod::risk, .refinements = 0}, x, 3, LambdaProblem::Response::nonlinear);
    const std::size_t both = std::min(linear.curve.size(), nonlinear.curve.size());
    for (std::size_t i = 1; i <= both; ++i) {  // the paths begin at the same end, the largest lambda
        const LambdaPoint& a = *(linear.curve.end() - static_cast<std::ptrdiff_t>(i));
        const LambdaPoint& b = *(nonlinear.curve.end() - static_cast<std::ptrdiff_t>(i));
        EXPECT_EQ(a.lambda, b.lambda);
        EXPECT_NEAR(b.freedom, a.freedom, 0.02 * a.freedom);
    }
}

TEST_P(LambdaSelection, AnObserverMayEndIt) {
    Array x = image();
    int points = 0;
    const LambdaChoice choice = choose({.method = LambdaMethod::lcurve}, x, 0, LambdaProblem::Response::linear,
                                       [&](const LambdaPoint&) { return ++points < 2; });
    EXPECT_LE(choice.curve.size(), 3U);
    EXPECT_GE(choice.curve.size(), 2U);
    EXPECT_GT(choice.lambda, 0);
}

TEST_P(LambdaSelection, NoProbesNoDegreesOfFreedom) {
    Array x = image();
    EXPECT_THROW(choose({.method = LambdaMethod::gcv}, x, 0), Error);
}

INSTANTIATE_TEST_SUITE_P(, LambdaSelection, test::every_backend(), test::backend_name);

}  // namespace
}  // namespace recon
