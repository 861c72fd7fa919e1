#include "core/mri/prewhitening.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>

#include "core/base/error.hpp"
#include "tests/support/random.hpp"

namespace recon {
namespace {

constexpr Index coil_count = 4;
constexpr Index sample_count = 20000;

/// Noise of coils that hear each other, [sample coil].
std::vector<cfloat> correlated_noise() {
    const std::vector<cdouble> white = test::random_values(sample_count * coil_count, 1);
    const std::vector<cdouble> mixing_values = test::random_values(coil_count * coil_count, 2);
    const Eigen::MatrixXcd mixing = Eigen::Map<const Eigen::MatrixXcd>(mixing_values.data(), coil_count, coil_count);
    const Eigen::MatrixXcf noise =
        (Eigen::Map<const Eigen::MatrixXcd>(white.data(), sample_count, coil_count) * mixing).cast<cfloat>();
    return {noise.data(), noise.data() + noise.size()};
}

Prewhitening whitening_of(const std::vector<cfloat>& noise) {
    return Prewhitening::from_covariance(noise_covariance(noise, coil_count), coil_count, "noise");
}

TEST(PrewhiteningTest, NoiseBecomesWhite) {
    std::vector<cfloat> noise = correlated_noise();
    whitening_of(noise).apply(noise);
    const Eigen::MatrixXcd white =
        Eigen::Map<const Eigen::MatrixXcf>(noise.data(), sample_count, coil_count).cast<cdouble>();
    const Eigen::MatrixXcd covariance = white.adjoint() * white / static_cast<double>(sample_count);
    const double variance = covariance(0, 0).real();
    // The covariance was measured on the same samples, so it is whitened to rounding.
    EXPECT_LT((covariance / variance - Eigen::MatrixXcd::Identity(coil_count, coil_count)).norm(), 1e-4);
}

TEST(PrewhiteningTest, FewSamplesAndCoilsThatCopyOthersAreObstacles) {
    std::vector<cfloat> noise = correlated_noise();
    const auto obstacle = [&](Index samples) {
        return obstacle_to_whitening(noise_covariance(noise, coil_count), coil_count, samples);
    };
    EXPECT_EQ(obstacle(2 * coil_count), "");
    EXPECT_NE(obstacle(2 * coil_count - 1).find("7 samples of noise do not tell"), std::string::npos);
    std::copy_n(noise.begin(), sample_count, noise.begin() + sample_count);
    EXPECT_NE(obstacle(sample_count).find("singular"), std::string::npos);
    EXPECT_THROW(whitening_of(noise), InputError);
}

TEST(PrewhiteningTest, TheCovarianceOfSomeCoilsIsThatOfTheirNoise) {
    const std::vector<cfloat> noise = correlated_noise();
    const std::vector<cfloat> of_some(noise.begin() + sample_count, noise.begin() + 3 * sample_count);
    const std::vector<cdouble> all = noise_covariance(noise, coil_count);
    EXPECT_LT(test::relative_difference(covariance_without({0, 3}, all), noise_covariance(of_some, 2)), 1e-12);
    EXPECT_EQ(covariance_without({}, all), all);
}

TEST(PrewhiteningTest, ACovarianceAtAnyScaleDoesWhatItsNoiseDoes) {
    const std::vector<cfloat> noise = correlated_noise();
    const Eigen::MatrixXcd samples =
        Eigen::Map<const Eigen::MatrixXcf>(noise.data(), sample_count, coil_count).cast<cdouble>();
    const Eigen::MatrixXcd covariance = 1e-6 * (samples.transpose() * samples.conjugate());
    std::vector<cfloat> by_noise = noise;
    whitening_of(noise).apply(by_noise);
    std::vector<cfloat> by_covariance = noise;
    const auto whitening =
        Prewhitening::from_covariance({covariance.data(), coil_count * coil_count}, coil_count, "file");
    whitening.apply(by_covariance);
    EXPECT_LT(
        test::relative_difference({by_covariance.begin(), by_covariance.end()}, {by_noise.begin(), by_noise.end()}),
        1e-6);
    whitening.undo(by_covariance);
    EXPECT_LT(test::relative_difference({by_covariance.begin(), by_covariance.end()}, {noise.begin(), noise.end()}),
              1e-5);
}

TEST(PrewhiteningTest, WhatIsNoCovarianceIsRefused) {
    std::vector<cdouble> values(coil_count * coil_count, cdouble(0));
    const auto make = [&] { Prewhitening::from_covariance(values, coil_count, "psi.h5"); };
    EXPECT_THROW(make(), InputError);  // zero
    for (Index c = 0; c < coil_count; ++c) {
        values[c * coil_count + c] = 1;
    }
    EXPECT_NO_THROW(make());
    values[1] = 0.5;
    EXPECT_THROW(make(), InputError);  // not Hermitian
    values[1] = 0;
    values[0] = -1;
    EXPECT_THROW(make(), InputError);  // not positive
    values.pop_back();
    EXPECT_THROW(make(), InputError);  // not square
}

TEST(GainOfWhitening, IsNoneOfWhiteNoiseAndTheWorstOfOther) {
    constexpr Index coils = 6, samples = 600;
    std::mt19937 generator(3);
    std::normal_distribution<float> normal;
    std::vector<cfloat> noise(static_cast<std::size_t>(coils * samples));
    for (cfloat& value : noise) {
        value = cfloat(normal(generator), normal(generator));
    }
    EXPECT_LT(gain_of_whitening(noise_covariance(noise, coils), coils, samples), 1.02);
    const std::vector<cdouble> uneven{1, 0, 0, 9};  // least squares weighs the second coil nine times too much
    EXPECT_NEAR(gain_of_whitening(uneven, 2, 1e9), 100.0 / 36, 1e-3);
}

TEST(Prewhitening, TellsCoilsThatAmplifyFarMore) {
    const auto diagonal = [](const std::vector<double>& variances) {
        std::vector<cdouble> covariance(variances.size() * variances.size());
        for (std::size_t i = 0; i < variances.size(); ++i) {
            covariance[i * variances.size() + i] = variances[i];
        }
        return Prewhitening::from_covariance(covariance, std::ssize(variances), "test").gains();
    };
    EXPECT_EQ(diagonal({1, 9, 1, 0.2}), (std::vector<double>{1, 1, 1, 1}));
    const std::vector<double> of_loud = diagonal({1, 400, 1, 1});
    EXPECT_NEAR(of_loud[1], 20, 1e-9);
    EXPECT_EQ(of_loud[0], 1);
}

}  // namespace
}  // namespace recon
