#include <gtest/gtest.h>
#include <omp.h>

#include <array>
#include <cmath>

#include "core/base/error.hpp"
#include "core/fourier/direct_sums.hpp"
#include "core/fourier/voxel_grid.hpp"
#include "data/simulation/birdcage_maps.hpp"
#include "data/simulation/phantoms/ellipsoid_phantom.hpp"
#include "data/simulation/phantoms/ellipsoid_transform.hpp"
#include "data/simulation/phantoms/head_ellipsoids.hpp"
#include "tests/support/error_matchers.hpp"
#include "tests/support/random.hpp"

namespace recon {
namespace {

using test::random_trajectory;
using test::relative_difference;

/// Two ellipsoids that overlap, off centre, turned about axes of no special direction.
std::vector<Ellipsoid> awkward_ellipsoids() {
    const double c = std::cos(0.7);
    const double s = std::sin(0.7);
    Ellipsoid tilted{{-0.06, 0.05, 0.04}, {0.21, 0.26, 0.23}, {{{c, 0, s}, {0, 1, 0}, {-s, 0, c}}}, 1.3};
    return {tilted, turned_ellipsoid({0.05, -0.04, -0.02}, {0.22, 0.30, 0.24}, 33, -0.4)};
}

struct Case {
    PerAxis<Index> matrix_size;
    double edge_voxels;
};

/// And needles, discs and points that are thinner than the Gaussian which rounds them.
std::vector<Ellipsoid> thin_ellipsoids() {
    return {turned_ellipsoid({0.03, 0.02, 0.01}, {0.01, 0.2, 0.15}, 25, 1.1),
            turned_ellipsoid({-0.1, 0.1, 0.02}, {0.03, 0.02, 0.25}, 60, 0.7),
            turned_ellipsoid({0.02, -0.03, 0.05}, {0.03, 0.04, 0.012}, 15, -0.6),
            turned_ellipsoid({-0.12, -0.14, -0.02}, {0.06, 0.2, 0.09}, -40, 0.9)};
}

class EllipsoidTransform : public ::testing::TestWithParam<PerAxis<Index>> {
protected:
    static void expect_sums_of_values(const std::vector<Ellipsoid>& ellipsoids);
};

/// The sum over voxels of a function without frequencies near N is its integral: with edges of sigma = s voxels, the
/// aliases at |k| <= N/5 are below exp(-2 pi^2 s^2 (4/5)^2) = 1e-11 for s = 1.4. What remains is the error of value().
void EllipsoidTransform::expect_sums_of_values(const std::vector<Ellipsoid>& ellipsoids) {
    constexpr double edge_voxels = 1.4;
    constexpr double value_tolerance = 1e-5;
    const PerAxis<Index> n = GetParam();
    PerAxis<bool> present{};
    PerAxis<double> sigma{};
    for (int axis = 0; axis < 3; ++axis) {
        present[axis] = n[axis] > 1;
        sigma[axis] = present[axis] ? edge_voxels / static_cast<double>(n[axis]) : 0;
    }
    const EllipsoidPhantom phantom(ellipsoids, present, {0.02, -0.03, 0.04}, sigma);
    const TrigonometricMaps maps = fit_birdcage_maps(3, present, {0, 0, 0});
    Trajectory trajectory = random_trajectory(70, n, 5);
    for (auto& component : trajectory.k) {
        for (double& k : component) {
            k *= 0.4;
        }
    }
    const std::vector<cdouble> exact = transform(phantom, maps, trajectory);

    const VoxelGrid grid = VoxelGrid::image(n);
    const Positions positions = Positions::of(grid);
    for (Index map = 0; map < maps.map_count; ++map) {
        std::vector<cdouble> values(positions.count());
        for (Index i = 0; i < positions.count(); ++i) {
            const PerAxis<double> r{positions.r[0][i], positions.r[1][i], positions.r[2][i]};
            values[i] = phantom.value(r) * maps.value(map, r) / static_cast<double>(positions.count());
        }
        const std::vector<cdouble> sum = direct_forward(trajectory, grid, values);
        const std::vector<cdouble> part(exact.begin() + map * 70, exact.begin() + (map + 1) * 70);
        EXPECT_LT(relative_difference(part, sum), value_tolerance) << "map " << map;
    }
}

TEST_P(EllipsoidTransform, EqualsTheIntegralOfTheValues) { expect_sums_of_values(awkward_ellipsoids()); }

/// Values at the tips of thin ellipsoids were wrong by up to 0.4 of their intensity.
TEST_P(EllipsoidTransform, EqualsTheIntegralOfTheValuesOfThinOnes) { expect_sums_of_values(thin_ellipsoids()); }

INSTANTIATE_TEST_SUITE_P(Sizes, EllipsoidTransform,
                         ::testing::Values(PerAxis<Index>{41, 1, 1}, PerAxis<Index>{1, 1, 40},
                                           PerAxis<Index>{41, 36, 1}, PerAxis<Index>{1, 37, 40},
                                           PerAxis<Index>{36, 37, 41}));

/// A sharp ellipsoid's transform along one of its axes is the Fourier integral of its cross-sections,
/// pi a b (1 - (z/c)^2), which parts give in closed form; here a composite Simpson rule.
TEST(EllipsoidPhantom, SharpTransformIsTheIntegralOverCrossSections) {
    const std::array<Ellipsoid, 1> one{turned_ellipsoid({0, 0, 0.11}, {0.3, 0.2, 0.35}, 20, 1.7)};
    const EllipsoidPhantom phantom(one, {true, true, true}, {}, {0, 0, 0});
    Trajectory trajectory;
    trajectory.k = {std::vector<double>{0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0.2, 3.7, -21.3}};
    const std::vector<cdouble> exact = transform(phantom, constant_map(), trajectory);
    constexpr int steps = 20000;
    for (int sample = 0; sample < 4; ++sample) {
        cdouble sum = 0;
        for (int i = 0; i <= steps; ++i) {
            const double t = 2.0 * i / steps - 1;
            const double weight = (i == 0 || i == steps) ? 1 : (i % 2 == 1 ? 4 : 2);
            const double turns = trajectory.k[2][sample] * (0.11 + 0.35 * t);
            sum += weight * 1.7 * pi * 0.3 * 0.2 * (1 - t * t) * std::polar(1.0, -2 * pi * turns);
        }
        sum *= 0.35 * 2.0 / steps / 3;
        EXPECT_LT(std::abs(exact[sample] - sum), 1e-12);
    }
}

/// Near u = 0.5 the closed form hands over to its series: both sides must meet.
TEST(EllipsoidPhantom, SeriesNearTheCentreMeetsTheClosedForm) {
    const std::array<Ellipsoid, 1> ball{turned_ellipsoid({0, 0, 0}, {0.25, 0.25, 0.25}, 0, 1)};
    const EllipsoidPhantom phantom(ball, {true, true, true}, {}, {0, 0, 0});
    Trajectory trajectory;
    for (int i = 0; i < 200; ++i) {
        trajectory.k[0].push_back(0.008 * i);
    }
    trajectory.k[1].assign(200, 0);
    trajectory.k[2].assign(200, 0);
    const std::vector<cdouble> exact = transform(phantom, constant_map(), trajectory);
    for (int i = 0; i < 200; ++i) {
        const long double u = 2 * pi * 0.25L * static_cast<long double>(trajectory.k[0][i]);
        const long double g =
            u < 1e-2L ? 1 - u * u / 10 + u * u * u * u / 280 : 3 * (std::sin(u) - u * std::cos(u)) / (u * u * u);
        EXPECT_NEAR(exact[i].real() / exact[0].real(), static_cast<double>(g), 4e-14) << i;
        EXPECT_NEAR(exact[i].imag(), 0, 1e-16);
    }
}

double integral(const EllipsoidPhantom& phantom) {
    Trajectory centre;
    centre.k = {std::vector<double>{0}, {0}, {0}};
    return transform(phantom, constant_map(), centre)[0].real();
}

TEST(EllipsoidPhantom, CentreOfKSpaceIsTheIntegral) {
    for (const auto& ellipsoids : {sodium_ellipsoids(), brain_ellipsoids()}) {
        const EllipsoidPhantom phantom(ellipsoids, {true, true, true}, {}, {0.01, 0.01, 0.01});
        double volume = 0;
        for (const Ellipsoid& e : ellipsoids) {
            volume += e.intensity * 4 * pi / 3 * e.semi_axes[0] * e.semi_axes[1] * e.semi_axes[2];
        }
        EXPECT_NEAR(integral(phantom), volume, 1e-13);
    }
}

TEST(EllipsoidPhantom, SectionOfABallIsADiscAndAnInterval) {
    const std::array<Ellipsoid, 1> ball{turned_ellipsoid({0.1, 0, 0}, {0.3, 0.3, 0.3}, 0, 2)};
    const EllipsoidPhantom disc(ball, {true, true, false}, {0, 0, 0.2}, {0, 0, 0});
    EXPECT_NEAR(integral(disc), 2 * pi * (0.09 - 0.04), 1e-14);
    const EllipsoidPhantom interval(ball, {false, true, false}, {0.2, 0, 0.2}, {0, 0, 0});
    EXPECT_NEAR(integral(interval), 2 * 2 * std::sqrt(0.09 - 0.01 - 0.04), 1e-14);
    const EllipsoidPhantom nothing(ball, {true, true, false}, {0, 0, 0.31}, {0, 0, 0});
    EXPECT_EQ(integral(nothing), 0);
    EXPECT_EQ(disc.value({0.1, 0.22, 0}), 2);
    EXPECT_EQ(disc.value({0.1, 0.23, 0}), 0);
}

TEST(EllipsoidPhantom, VoxelMeanOfASharpEdgeIsTheCoveredPart) {
    const std::array<Ellipsoid, 1> wide{turned_ellipsoid({0, 0, 0}, {0.25, 50, 50}, 0, 1)};
    const EllipsoidPhantom phantom(wide, {true, true, true}, {}, {0, 0, 0});
    EXPECT_DOUBLE_EQ(phantom.voxel_mean({0.25, 0, 0}, {0.1, 0.1, 0.1}, 4), 0.5);
    EXPECT_DOUBLE_EQ(phantom.voxel_mean({0.225, 0, 0}, {0.1, 0.1, 0.1}, 4), 0.75);
}

TEST(EllipsoidPhantom, RefusesWhatIsNoObject) {
    const std::array<Ellipsoid, 1> flat{turned_ellipsoid({0, 0, 0}, {0.3, 0, 0.3}, 0, 2)};
    test::expect_error<InputError>([&] { EllipsoidPhantom(flat, {true, true, true}, {}, {}); }, {"semi-axis of 0"});
    test::expect_error<InputError>(
        [&] {
            EllipsoidPhantom(brain_ellipsoids(), {false, false, false}, {}, {});
        },
        {"`matrix`"});
}

TEST(EllipsoidPhantom, TransformIsTheSameForAnyNumberOfThreads) {
    const EllipsoidPhantom phantom(brain_ellipsoids(), {true, true, true}, {}, {0.02, 0.02, 0.02});
    const TrigonometricMaps maps = fit_birdcage_maps(2, {true, true, true}, {});
    const Trajectory trajectory = random_trajectory(1000, {33, 20, 11}, 3);
    const int before = omp_get_max_threads();
    omp_set_num_threads(1);
    const auto one = transform(phantom, maps, trajectory);
    omp_set_num_threads(3);
    const auto three = transform(phantom, maps, trajectory);
    omp_set_num_threads(before);
    EXPECT_EQ(one, three);
}

/// The fit need not be the formula, but coils must stay distinct, smooth and of nearly unit root-sum-of-squares.
TEST(BirdcageMaps, FitFollowsTheFormulaWithinTheBall) {
    constexpr double fit_error = 0.12;  // relative rms; measured 0.015 to 0.11
    constexpr double sum_error = 0.05;  // of the root-sum-of-squares; measured 0.033
    for (const Index coil_count : {2, 5, 8, 17, 32}) {
        for (const bool has_z : {false, true}) {
            const PerAxis<bool> present{true, true, has_z};
            const TrigonometricMaps maps = fit_birdcage_maps(coil_count, present, {});
            ASSERT_EQ(maps.map_count, coil_count);
            double error = 0;
            double size = 0;
            for (int i = 0; i < 8 * 8 * 8; ++i) {
                const PerAxis<double> r{(i % 8 + 0.5) / 8 - 0.5, (i / 8 % 8 + 0.5) / 8 - 0.5,
                                        has_z ? (i / 64 + 0.5) / 8 - 0.5 : 0};
                if (std::hypot(r[0], r[1], r[2]) > 0.46) {
                    continue;
                }
                double sum_of_squares = 0;
                for (Index coil = 0; coil < coil_count; ++coil) {
                    const cdouble wanted = birdcage_sensitivity(coil, coil_count, has_z, r);
                    error += std::norm(maps.value(coil, r) - wanted);
                    size += std::norm(wanted);
                    sum_of_squares += std::norm(maps.value(coil, r));
                }
                EXPECT_NEAR(std::sqrt(sum_of_squares), 1, sum_error);
            }
            EXPECT_LT(std::sqrt(error / size), fit_error) << coil_count << (has_z ? " in 3-D" : " in 2-D");
        }
    }
}

TEST(BirdcageMaps, VoxelValuesAreThePolynomialAtTheVoxels) {
    constexpr double single_rounding = 1e-6;
    const PerAxis<double> section{0, 0, 0.1};
    const TrigonometricMaps maps = fit_birdcage_maps(3, {true, true, false}, section);
    const VoxelGrid grid = VoxelGrid::image({7, 5, 1});
    const std::vector<cfloat> values = evaluate_maps(maps, {7, 5, 1}, section);
    for (Index i = 0; i < 35; ++i) {
        for (Index map = 0; map < 3; ++map) {
            const cdouble wanted = maps.value(map, {grid.position(0, i % 7), grid.position(1, i / 7), section[2]});
            EXPECT_LT(std::abs(cdouble(values[map * 35 + i]) - wanted), single_rounding);
        }
    }
}

TEST(BirdcageMaps, OneCoilIsUniform) {
    const TrigonometricMaps maps = fit_birdcage_maps(1, {true, true, true}, {});
    EXPECT_EQ(maps.value(0, {0.3, -0.2, 0.1}), cdouble(1));
}

}  // namespace
}  // namespace recon
