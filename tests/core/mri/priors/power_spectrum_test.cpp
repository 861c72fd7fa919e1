#include "core/mri/priors/power_spectrum.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "core/base/error.hpp"

namespace recon {
namespace {

/// Samples at random in a square of `edge` cycles per field of view on either side, field of view 200 mm.
Trajectory random_trajectory(Index count, double edge, double hole = 0) {
    std::mt19937 generator(5);
    std::uniform_real_distribution<double> uniform(-edge, edge);
    Trajectory trajectory;
    while (trajectory.sample_count() < count) {
        const double x = uniform(generator), y = uniform(generator);
        if (std::hypot(x, y) >= hole) {
            trajectory.k[0].push_back(x);
            trajectory.k[1].push_back(y);
            trajectory.k[2].push_back(0);
        }
    }
    return trajectory;
}

/// Shells of data whose expected energy is coils sigma^2 + power(|k| in 1/mm).
template <class Power>
KspaceShells shells_of(const Trajectory& trajectory, Power power, double sigma, int coils) {
    KspaceShells shells(trajectory, {64, 64, 1}, {200, 200, 0});
    std::mt19937 generator(6);
    std::normal_distribution<double> normal(0, std::sqrt(0.5));
    const auto gaussian = [&] { return cdouble(normal(generator), normal(generator)); };
    std::vector<double> energies;
    for (Index m = 0; m < trajectory.sample_count(); ++m) {
        const cdouble signal = std::sqrt(power(shells.k_per_mm(trajectory, m))) * gaussian();
        energies.push_back(0);
        for (int coil = 0; coil < coils; ++coil) {  // the first coil sees it all
            energies.back() += std::norm((coil == 0 ? signal : 0.0) + sigma * gaussian());
        }
    }
    shells.add(trajectory, shells.shells_of(trajectory), energies, {});
    return shells;
}

/// As a head's, whose outline makes the first shells fall like |k|^-10; the detail that follows is a tenth of the
/// noise.
TEST(PowerSpectrum, DetailIsFoundBehindASteepFall) {
    const auto power = [](double k) { return 3e6 * std::pow(std::max(k, 0.005) / 0.005, -10) + (k < 0.045 ? 160 : 0); };
    const KspaceShells shells = shells_of(random_trajectory(12000, 32), power, 20, 4);
    const PowerSpectrum found = fit_power_spectrum(shells, {400, 4, 1});
    for (const double k : {0.025, 0.035}) {
        EXPECT_NEAR(std::log(found(k) / power(k)), 0, std::log(5.0)) << k << " per mm";
    }
}

TEST(PowerSpectrum, IsFoundAboveTheNoise) {
    const auto power = [](double k) { return 1e-4 * std::pow(k + 0.005, -3); };
    for (const int coils : {1, 8}) {
        for (const double scale : {1e-20, 1.0, 1e20}) {
            const double sigma = 2 * scale;
            const KspaceShells shells = shells_of(
                random_trajectory(20000, 32), [&](double k) { return scale * scale * power(k); }, sigma, coils);
            const PowerSpectrum found = fit_power_spectrum(shells, {sigma * sigma, static_cast<double>(coils), 1});
            for (const double k : {0.02, 0.03, 0.05}) {  // 20 samples and more in each of their shells, above the noise
                EXPECT_NEAR(found(k) / (scale * scale * power(k)), 1, 0.35) << coils << " coils, " << k << " per mm";
            }
            std::vector<double> truth;
            for (const double k : found.k_per_mm()) {
                truth.push_back(scale * scale * power(k));
            }
            // Of the spectrum as it is at the same knots; its slope goes from -1 to -2.6 over them.
            EXPECT_NEAR(found.exponent(sigma * sigma), PowerSpectrum(found.k_per_mm(), truth).exponent(sigma * sigma),
                        0.3);
        }
    }
}

TEST(PowerSpectrum, OfABrighterObjectIsFoundByItsFactor) {
    const auto power = [](double k) { return 1e-4 * std::pow(k + 0.005, -3); };
    const Trajectory trajectory = random_trajectory(20000, 32);
    const PowerSpectrum spectrum = fit_power_spectrum(shells_of(trajectory, power, 2, 4), {4, 4, 1});
    for (const double factor : {0.1, 0.3, 1.0, 40.0}) {
        const KspaceShells shells = shells_of(
            trajectory, [&](double k) { return factor * power(k); }, 2, 4);
        // where the noise hides the tail the shape that was found is not quite that of the object
        EXPECT_NEAR(brightness(shells, {4, 4, 1}, spectrum) / factor, 1, factor < 0.2 ? 0.3 : 0.15) << factor;
        EXPECT_LT(misfit(shells, {4, 4, 1}, spectrum.times(factor)),
                  misfit(shells, {4, 4, 1}, spectrum.times(3 * factor)));
    }
    EXPECT_LT(brightness(shells_of(
                             trajectory, [](double) { return 0.0; }, 2, 4),
                         {4, 4, 1}, spectrum),
              0.01);
}

/// Points and texture: every slope is unusual alike, and that costs little more than one of them does.
TEST(PowerSpectrum, StaysFlatWhereNoiseHidesIt) {
    for (const double part_of_noise : {0.1, 0.2, 1.0}) {
        const auto power = [&](double) { return part_of_noise * 400; };
        const PowerSpectrum found =
            fit_power_spectrum(shells_of(random_trajectory(6000, 32), power, 20, 1), {400, 1, 1});
        for (const double k : {0.01, 0.1, 0.15}) {
            EXPECT_NEAR(std::log(found(k) / power(k)), 0, std::log(2.5)) << k << " per mm, " << part_of_noise;
        }
    }
}

/// Beyond the data it falls at least as |k|^-2, and below the first shell it is constant.
TEST(PowerSpectrum, EndsAsItMust) {
    const KspaceShells rising = shells_of(
        random_trajectory(5000, 32), [](double k) { return 1 + 1e3 * k; }, 0.01, 1);
    const PowerSpectrum found = fit_power_spectrum(rising, {1e-4, 1, 1});
    EXPECT_GT(found(0.15), found(0.02));
    EXPECT_NEAR(found(2.0) / found(1.0), 0.25, 1e-6);
    EXPECT_EQ(found(0.0), found(1e-9));
}

TEST(PowerSpectrum, OfNoiseAloneLiesFarBelowIt) {
    const KspaceShells shells = shells_of(
        random_trajectory(5000, 32), [](double) { return 0.0; }, 3, 4);
    const PowerSpectrum found = fit_power_spectrum(shells, {9, 4, 1});
    EXPECT_LT(found(0.1), 0.2 * 4 * 9);
}

TEST(PowerSpectrum, NeedsNoCentreAndFewShells) {
    const auto power = [](double k) { return 1e-4 * std::pow(k, -3); };
    const PowerSpectrum hollow =
        fit_power_spectrum(shells_of(random_trajectory(5000, 32, 10), power, 1e-3, 1), {1e-6, 1, 1});
    EXPECT_NEAR(hollow(0.1) / power(0.1), 1, 0.3);
    EXPECT_GT(hollow(0.006), 0.2 * power(0.006)) << "goes on rising where no sample is";
    const PowerSpectrum one = fit_power_spectrum(shells_of(random_trajectory(100, 0.4), power, 0, 1), {0, 1, 1});
    EXPECT_TRUE(std::isfinite(one(0.1)));
    EXPECT_GT(one(0.1), 0);
    EXPECT_THROW(fit_power_spectrum(shells_of(
                                        random_trajectory(10, 4), [](double) { return 0.0; }, 0, 1),
                                    {0, 1, 1}),
                 Error);
}

TEST(KspaceShells, AreInCyclesPerMillimetre) {
    Trajectory trajectory;
    trajectory.k = {std::vector<double>{3}, std::vector<double>{4}, std::vector<double>{5}};
    EXPECT_NEAR(KspaceShells(trajectory, {8, 8, 1}, {100, 200, 0}).k_per_mm(trajectory, 0), std::hypot(0.03, 0.02),
                1e-12);
    EXPECT_NEAR(KspaceShells(trajectory, {8, 16, 1}, {0, 0, 0}).k_per_mm(trajectory, 0), std::hypot(3. / 8, 4. / 16),
                1e-12);  // voxels of 1 mm where their size is unknown
}

TEST(PowerSpectrum, GoesOnAsRoundedEdgesDoWhereItFallsFasterThanSharpOnes) {
    const auto rounded = [](double k) { return std::pow(k, -3) * std::exp(-40 * k * k); };
    const std::vector<double> knots{0.02, 0.05, 0.1, 0.2, 0.3};
    std::vector<double> values, of_sharp;
    for (const double k : knots) {
        values.push_back(rounded(k));
        of_sharp.push_back(std::pow(k, -2.6));
    }
    const PowerSpectrum found(knots, values, -3), sharp(knots, of_sharp, -3);
    for (const double k : {0.31, 0.4, 0.6}) {
        EXPECT_NEAR(found(k) / rounded(k), 1, 1e-9) << k;
        EXPECT_NEAR(sharp(k) / std::pow(k, -2.6), 1, 1e-9) << k;
    }
    EXPECT_NEAR(found.times(3)(0.4) / found(0.4), 3, 1e-9);
}

}  // namespace
}  // namespace recon
