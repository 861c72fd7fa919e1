#include "app/reconstruction/scan_prior/terms/sharpened_gradient.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "app/reconstruction/scan_prior/terms/local_term.hpp"
#include "data/simulation/simulate_scan.hpp"
#include "tests/support/operator_properties.hpp"
#include "tests/support/prepared_problem.hpp"
#include "tests/support/random.hpp"

namespace recon {
namespace {

class SharpenedGradients : public ::testing::Test {
protected:
    static constexpr Index n = 16, octant = n / 2 + 1;

    static Scan simulated() {
        SimulationOptions options;
        options.trajectory = "golden-radial";
        options.request.matrix_size = {n, n, 1};
        return simulate_scan(options).scan;
    }
    static ReconstructOptions in_double() {
        ReconstructOptions options;
        options.precision = Precision::double_;
        return options;
    }
    /// An energy of |D|^-2 slope
    ScanTerm term_of_slope(double slope) {
        std::vector<double> rarity;
        for (Index i = 0; i < octant * octant; ++i) {
            const double square = squared_difference(i % octant) + squared_difference(i / octant);
            rarity.push_back(std::pow(std::max(square, least), slope));
        }
        ScanTerm term;
        term.grid = EvenGrid({n, n, 1});
        term.deviations.assign(rarity.size(), 3);
        for (double& value : rarity) {
            value *= 9;
        }
        term.spectrum = std::make_shared<const std::vector<double>>(std::move(rarity));
        return term;
    }
    static double squared_difference(Index frequency) {
        return std::pow(2 * std::sin(pi * static_cast<double>(frequency) / n), 2);
    }

    const double least = squared_difference(1);
    test::PreparedProblem prepared_{simulated(), in_double()};
    const FrameProblem& problem_ = prepared_.problem();
    Backend& backend_ = prepared_.backend();
};

TEST_F(SharpenedGradients, AreDifferencesWhereTheSpectrumIsTheirs) {
    const SharpenedGradient gradient(problem_, term_of_slope(1));
    const Array x = test::random_array(backend_, problem_.image_shape(), Precision::double_, 1);
    const FiniteDifferences differences(backend_, problem_.image_shape(), gradient.axis_factors(), Precision::double_);
    Array expected(backend_, differences.codomain(), Precision::double_);
    differences.forward(x, expected);
    const Array found = gradient.of(x);
    backend_.axpby(-1, found, 1, expected);
    EXPECT_LT(norm(expected), 1e-12 * norm(found));
}

/// Of a wave that the grid holds, away from the free boundary: |G x|^2 / |x|^2.
TEST_F(SharpenedGradients, WeighWavesAsTheirSpectrumSays) {
    const SharpenedGradient gradient(problem_, term_of_slope(3));
    const auto energy_of = [&](Index frequency) {
        std::vector<cdouble> wave;
        for (Index i = 0; i < n * n; ++i) {
            wave.push_back(std::polar(1.0, 2 * pi * static_cast<double>(frequency * (i % n)) / n));
        }
        Array x(backend_, problem_.image_shape(), Precision::double_);
        upload(wave, x);
        const std::vector<cdouble> along_x = download<double>(gradient.of(x).view().slice(0));
        return std::norm(along_x[n / 2]);
    };
    for (const Index frequency : {1, 3, 8}) {
        const auto place = static_cast<std::size_t>(frequency);
        EXPECT_NEAR(energy_of(frequency) / (*gradient.spectrum())[place], 1, 1e-9);
        const double sharper = std::pow(squared_difference(frequency) / squared_difference(1), 1 + 0.4 * 2);
        EXPECT_NEAR(energy_of(frequency) / energy_of(1), sharper, 1e-6 * sharper);
    }
}

TEST_F(SharpenedGradients, LocalTermsHaveTheirAdjoint) {
    const SharpenedGradient gradient(problem_, term_of_slope(2));
    LocalVariance variance{Array(backend_, problem_.image_shape().with_axis("axis", 2), Precision::double_), 1};
    std::vector<double> values;
    for (Index i = 0; i < 2 * n * n; ++i) {
        values.push_back(1 + static_cast<double>(i % 7));
    }
    upload_real(values, variance.relative);
    const LocalTerm term = local_term(problem_, gradient, nullptr, variance, 2, nullptr);
    EXPECT_LT(test::adjoint_error(*term.scan.term.w), 1e-12);
}

}  // namespace
}  // namespace recon
