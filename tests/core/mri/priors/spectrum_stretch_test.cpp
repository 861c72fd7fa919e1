#include "core/mri/priors/spectrum_stretch.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "tests/support/thread_count.hpp"

namespace recon {
namespace {

/// Cells of 30000 samples at random in a box of the band, field of view 200 mm along each axis, whose expected energy
/// is coils sigma^2 + |A k|^-4. @param stretch  A for k in cycles per field of view
KspaceCells cells_of(PerAxis<Index> matrix, const PerAxis<double>& stretch, double sigma, int coils,
                     const PerAxis<double>& view_mm = {200, 200, 200}) {
    PerAxis<double> factors{};
    for (int axis = 0; axis < 3; ++axis) {
        factors[axis] = matrix[axis] > 1 ? 1 / view_mm[axis] : 0;
    }
    KspaceCells cells(matrix, factors);
    std::mt19937 generator(4);
    std::normal_distribution<double> normal(0, std::sqrt(0.5));
    std::uniform_real_distribution<double> uniform(-0.5, 0.5);
    Trajectory trajectory;
    std::vector<double> energies;
    for (int m = 0; m < 30000; ++m) {
        double k_squared = 1;  // cycles per field of view
        for (int axis = 0; axis < 3; ++axis) {
            const double k = matrix[axis] > 1 ? uniform(generator) * static_cast<double>(matrix[axis]) : 0;
            trajectory.k[axis].push_back(k);
            k_squared += std::pow(stretch[axis] * k, 2);
        }
        const auto gaussian = [&] { return cdouble(normal(generator), normal(generator)); };
        const cdouble signal = 1e3 / k_squared * gaussian();
        energies.push_back(0);
        for (int coil = 0; coil < coils; ++coil) {  // the first coil sees it all
            energies.back() += std::norm((coil == 0 ? signal : 0.0) + sigma * gaussian());
        }
    }
    cells.add(trajectory, energies, {});
    return cells;
}

void expect_near(const PerAxis<double>& found, const PerAxis<double>& truth, double tolerance) {
    for (int axis = 0; axis < 3; ++axis) {
        EXPECT_NEAR(found[axis] / truth[axis], 1, tolerance) << axis;
    }
}

TEST(SpectrumStretch, IsThatOfTheObject) {
    for (const double sigma : {0.0, 3.0, 20.0}) {  // the signal is 1e3 in the middle and 4 at the edges
        for (const int coils : {1, 4}) {
            SCOPED_TRACE(sigma);
            const PerAxis<double> long_object{0.63, 0.63, 2.52}, flat{1.2, 1, 1 / 1.2}, slice{0.7, 1 / 0.7, 1};
            expect_near(spectrum_stretch(cells_of({32, 32, 32}, long_object, sigma, coils), coils), long_object, 0.15);
            expect_near(spectrum_stretch(cells_of({32, 32, 12}, flat, sigma, coils), coils), flat, 0.15);
            expect_near(spectrum_stretch(cells_of({32, 32, 24}, {1, 1, 1}, sigma, coils), coils), {1, 1, 1}, 0.05);
            expect_near(spectrum_stretch(cells_of({48, 32, 1}, slice, sigma, coils), coils), slice, 0.08);
        }
    }
}

/// Voxels a fortieth as long along z: many rounds from 1.
TEST(SpectrumStretch, IsThatOfTheObjectInThinVoxels) {
    const PerAxis<double> view{200, 200, 5};
    const double mean = std::cbrt(200.0 * 200 * 5);
    const PerAxis<double> truth{view[0] / mean, view[1] / mean, view[2] / mean};
    for (const double sigma : {0.0, 3.0, 20.0}) {
        expect_near(spectrum_stretch(cells_of({32, 32, 32}, {1, 1, 1}, sigma, 1, view), 1), truth, 0.1);
    }
}

TEST(SpectrumStretch, IsNoneOfALineOrOfNothing) {
    expect_near(spectrum_stretch(cells_of({64, 1, 1}, {1, 1, 1}, 1, 1), 1), {1, 1, 1}, 0);
    KspaceCells nothing = cells_of({16, 16, 1}, {1, 1, 1}, 1, 1);
    nothing.energy.assign(nothing.energy.size(), 0);
    expect_near(spectrum_stretch(nothing, 1), {1, 1, 1}, 0);
}

TEST(KspaceCells, AreTheSameForAnyNumberOfThreads) {
    const auto with_threads = [](int threads) {
        const test::ThreadCount limit(threads);
        return cells_of({24, 20, 1}, {1, 1, 1}, 1, 2);
    };
    const KspaceCells one = with_threads(1), three = with_threads(3);
    EXPECT_EQ(one.energy, three.energy);
    EXPECT_EQ(one.k_squared[0], three.k_squared[0]);
}

}  // namespace
}  // namespace recon
