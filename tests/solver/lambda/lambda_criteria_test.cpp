#include "solver/lambda/lambda_criteria.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "core/base/error.hpp"

namespace recon {
namespace {

/// A problem with singular values s_i whose data are known in every component: ridge regression by formulas.
///     misfit = sum (lambda / (s^2 + lambda))^2 |d_i|^2 + |d outside|^2,  freedom = sum s^2 / (s^2 + lambda)
struct Ridge {
    double noise_variance = 0.01;
    int count = 400;
    int outside = 200;  ///< data that no image explains: noise alone

    double singular(int i) const { return std::exp(-6.0 * i / count); }
    double signal(int i) const { return i < 120 ? 1 : 0; }  // expected, without the noise

    LambdaPoint at(double lambda) const {
        LambdaPoint point{.lambda = lambda};
        point.misfit = outside * noise_variance;
        for (int i = 0; i < count; ++i) {
            const double s2 = singular(i) * singular(i), left = lambda / (s2 + lambda);
            const double energy = signal(i) * signal(i) + noise_variance;
            point.misfit += left * left * energy;
            point.freedom += s2 / (s2 + lambda);
            point.penalty += s2 / ((s2 + lambda) * (s2 + lambda)) * energy;
        }
        return point;
    }
    /// E|E x - signal|^2
    double risk(double lambda) const {
        double sum = 0;
        for (int i = 0; i < count; ++i) {
            const double s2 = singular(i) * singular(i), left = lambda / (s2 + lambda);
            sum += left * left * signal(i) * signal(i) + (1 - left) * (1 - left) * noise_variance;
        }
        return sum;
    }
    DataStatistics data() const { return {static_cast<double>(count + outside), 0, noise_variance}; }
    std::vector<LambdaPoint> curve(int points_a_decade) const {
        std::vector<LambdaPoint> points;
        for (int i = -6 * points_a_decade; i <= 2 * points_a_decade; ++i) {
            points.push_back(at(std::pow(10.0, static_cast<double>(i) / points_a_decade)));
        }
        return points;
    }
    double best() const {
        double best = 1;
        for (int i = -600; i <= 200; ++i) {
            const double lambda = std::pow(10.0, 0.01 * i);
            best = risk(lambda) < risk(best) ? lambda : best;
        }
        return best;
    }
};

TEST(LambdaCriteria, ThePredictedRiskIsTheRisk) {
    const Ridge ridge;
    for (const double lambda : {1e-5, 1e-3, 1e-1}) {
        // expected data go in, the expected risk comes out
        EXPECT_NEAR(predictive_risk(ridge.at(lambda), ridge.data()), ridge.risk(lambda), 1e-9);
    }
}

/// Samples of density D_i, of which component i is one: sum D_i |error_i|^2. The samples see all noise of the image.
TEST(LambdaCriteria, TheRiskOfTheImageWeighsEachSample) {
    const Ridge ridge;
    const double lambda = 1e-2;
    LambdaPoint point;
    DataStatistics data{0, 0, ridge.noise_variance};
    double expected = 0;
    for (int i = 0; i < ridge.count; ++i) {
        const double s2 = ridge.singular(i) * ridge.singular(i), left = lambda / (s2 + lambda), d = 1.0 + i % 5;
        const double signal = ridge.signal(i) * ridge.signal(i);
        point.image_misfit += d * left * left * (signal + ridge.noise_variance);
        point.image_freedom += d * s2 / (s2 + lambda);
        data.image_count += d;
        expected += d * (left * left * signal + (1 - left) * (1 - left) * ridge.noise_variance);
    }
    EXPECT_NEAR(image_risk(point, data), expected, 1e-9);
}

TEST(LambdaCriteria, APartOfTheNoiseBetweenTheSamplesCounts) {
    LambdaPoint point{.image_misfit = 8, .image_freedom = 3, .image_noise = 5, .seen_noise = 6};
    const DataStatistics data{.count = 9, .image_count = 7, .noise_variance = 2, .image_gain = 2};
    const double all_is_seen = 8 + 2 * (2 * 3 - 7);
    EXPECT_DOUBLE_EQ(image_risk(point, data), all_is_seen + 0.15 * 2 * (2 * 5 - 6));
    point.seen_noise = 10;
    EXPECT_DOUBLE_EQ(image_risk(point, data), all_is_seen);
}

TEST(LambdaCriteria, RiskAndCrossValidationFindTheLeastError) {
    const Ridge ridge;
    const double best = ridge.best();
    const LambdaVerdict risk = judge_lambda(ridge.curve(4), LambdaMethod::risk, ridge.data());
    EXPECT_TRUE(risk.is_inside);
    EXPECT_NEAR(std::log10(risk.lambda), std::log10(best), 0.125);  // half of the points' distance
    EXPECT_LT(ridge.risk(risk.lambda), 1.005 * ridge.risk(best));   // flat there: so near, that it does not matter
    const LambdaVerdict gcv = judge_lambda(ridge.curve(4), LambdaMethod::gcv, {ridge.data().count, 0, std::nullopt});
    EXPECT_TRUE(gcv.is_inside);
    EXPECT_LT(ridge.risk(gcv.lambda), 1.02 * ridge.risk(best));  // equal but for terms of order freedom / count
    EXPECT_LT(gcv.low, gcv.lambda);
    EXPECT_GT(gcv.high, gcv.lambda);
}

TEST(LambdaCriteria, DiscrepancyIsMetWhereTheMisfitIsTheNoise) {
    const Ridge ridge;
    const LambdaVerdict verdict = judge_lambda(ridge.curve(20), LambdaMethod::discrepancy, ridge.data());
    ASSERT_TRUE(verdict.is_inside);
    const LambdaPoint there = ridge.at(verdict.lambda);
    EXPECT_NEAR(there.misfit / (ridge.noise_variance * (ridge.data().count - there.freedom)), 1, 1e-2);
}

TEST(LambdaCriteria, LCurveHasItsCornerWhereAHyperbolaHasIt) {
    // log misfit = u, log penalty = v with u v = 1 in the quadrant: sharpest at u = v = 1
    std::vector<LambdaPoint> curve;
    for (int i = -20; i <= 20; ++i) {
        const double u = std::exp(0.1 * i);
        curve.push_back({.lambda = std::pow(10.0, 0.1 * i), .misfit = std::exp(u), .penalty = std::exp(1 / u)});
    }
    const LambdaVerdict verdict = judge_lambda(curve, LambdaMethod::lcurve, {});
    EXPECT_TRUE(verdict.is_inside);
    EXPECT_NEAR(verdict.lambda, 1, 0.02);
    const std::vector<double> curvature = lcurve_curvature(curve);
    EXPECT_NEAR(curvature[20], std::sqrt(0.5), 2e-2);  // of u v = 1 at (1, 1): 2 / 2^(3/2), by three points 0.1 apart
}

TEST(LambdaCriteria, AnEndOfTheCurveIsNoAnswer) {
    const Ridge ridge;
    std::vector<LambdaPoint> curve{ridge.at(1e-1), ridge.at(1), ridge.at(10)};  // all too large
    for (const LambdaMethod method : {LambdaMethod::risk, LambdaMethod::gcv, LambdaMethod::discrepancy}) {
        const LambdaVerdict verdict = judge_lambda(curve, method, ridge.data());
        EXPECT_FALSE(verdict.is_inside) << name_of(method);
        EXPECT_EQ(verdict.lambda, 1e-1) << name_of(method);
    }
}

TEST(LambdaCriteria, WithoutANoiseLevelTheyThatNeedItSaySo) {
    const Ridge ridge;
    EXPECT_THROW(judge_lambda(ridge.curve(1), LambdaMethod::risk, {600, 0, std::nullopt}), Error);
    EXPECT_THROW(judge_lambda(ridge.curve(1), LambdaMethod::image, {600, 600, std::nullopt}), Error);
    EXPECT_THROW(judge_lambda(ridge.curve(1), LambdaMethod::discrepancy, {600, 0, std::nullopt}), Error);
}

}  // namespace
}  // namespace recon
