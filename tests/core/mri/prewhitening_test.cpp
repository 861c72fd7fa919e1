#include "core/mri/prewhitening.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>

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

TEST(PrewhiteningTest, NoiseBecomesWhite) {
    std::vector<cfloat> noise = correlated_noise();
    Prewhitening::from_noise(noise, coil_count).apply(noise);
    const Eigen::MatrixXcd white =
        Eigen::Map<const Eigen::MatrixXcf>(noise.data(), sample_count, coil_count).cast<cdouble>();
    const Eigen::MatrixXcd covariance = white.adjoint() * white / static_cast<double>(sample_count);
    const double variance = covariance(0, 0).real();
    // The covariance was measured on the same samples, so it is whitened to rounding.
    EXPECT_LT((covariance / variance - Eigen::MatrixXcd::Identity(coil_count, coil_count)).norm(), 1e-4);
}

TEST(PrewhiteningTest, TooFewSamplesOrASilentCoilAreRefused) {
    const std::vector<cfloat> noise = correlated_noise();
    EXPECT_THROW(Prewhitening::from_noise({noise.data(), 3 * coil_count}, coil_count), InputError);
    std::vector<cfloat> silent = noise;
    std::fill_n(silent.begin() + sample_count, sample_count, cfloat(0));
    EXPECT_THROW(Prewhitening::from_noise(silent, coil_count), InputError);
}

TEST(PrewhiteningTest, ACovarianceAtAnyScaleDoesWhatItsNoiseDoes) {
    const std::vector<cfloat> noise = correlated_noise();
    const Eigen::MatrixXcd samples =
        Eigen::Map<const Eigen::MatrixXcf>(noise.data(), sample_count, coil_count).cast<cdouble>();
    const Eigen::MatrixXcd covariance = 1e-6 * (samples.transpose() * samples.conjugate());
    std::vector<cfloat> by_noise = noise;
    Prewhitening::from_noise(noise, coil_count).apply(by_noise);
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

}  // namespace
}  // namespace recon
