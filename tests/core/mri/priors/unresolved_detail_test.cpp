#include "core/mri/priors/unresolved_detail.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>
#include <random>
#include <vector>

namespace recon {
namespace {

/// Random steps on a line of 64 voxels, 16 points in each: their transforms on the fine grid, and how the means of the
/// voxels differ from the object's own frequencies at their centres.
struct Steps {
    static constexpr Index voxels = 64, fine = 16, count = voxels * fine;

    explicit Steps(unsigned seed) {
        std::vector<double> object(count);
        std::mt19937 generator(seed);
        std::uniform_int_distribution<Index> place(0, count - 1);
        std::normal_distribution<double> height;
        for (int step = 0; step < 24; ++step) {  // boxes: periodic, of either sign
            const double h = height(generator);
            const Index first = place(generator), length = place(generator) / 4;
            for (Index i = 0; i < length; ++i) {
                object[static_cast<std::size_t>((first + i) % count)] += h;
            }
        }
        for (Index k = -count / 2; k < count / 2; ++k) {
            std::complex<double> sum = 0;
            for (Index i = 0; i < count; ++i) {
                sum += object[static_cast<std::size_t>(i)] *
                       std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(k * i % count) / count);
            }
            transform.push_back(sum / static_cast<double>(fine));  // as of a sum over voxels
        }
    }

    /// Sum of squares over the voxels of what the means show beyond the voxels' frequencies.
    double unresolved() const {
        double sum = 0;
        for (Index f = -voxels / 2; f < voxels / 2; ++f) {
            std::complex<double> folded = 0;
            for (Index m = -fine / 2 + 1; m < fine / 2; ++m) {
                if (m != 0) {
                    const Index k = f + m * voxels;
                    const double angle = std::numbers::pi * static_cast<double>(k) / voxels;
                    const double centre = angle / fine;  // of the fine points in the voxel
                    folded += transform[static_cast<std::size_t>(k + count / 2)] * std::sin(angle) /
                              (fine * std::sin(centre)) * std::polar(1.0, centre * (fine - 1));
                }
            }
            sum += std::norm(folded);
        }
        return sum / voxels;
    }

    std::vector<std::complex<double>> transform;
};

TEST(UnresolvedDetail, IsWhatTheMeansOfStepsShowBeyondTheVoxels) {
    constexpr int objects = 30;
    double measured = 0, edges = 0;  // P = edges / k^2 where k is large
    for (unsigned seed = 0; seed < objects; ++seed) {
        const Steps steps(seed);
        measured += steps.unresolved() / objects;
        for (Index k = 8; k < 32; ++k) {
            edges += std::norm(steps.transform[static_cast<std::size_t>(k + Steps::count / 2)]) *
                     static_cast<double>(k * k) / (24 * objects);
        }
    }
    const PowerSpectrum power({8, 32}, {edges / 64, edges / 1024});
    EXPECT_NEAR(std::sqrt(unresolved_detail(power, 0, {Steps::voxels, 1, 1}, {1, 0, 0}) / measured), 1, 0.1);
}

/// P = |k|^-p, of which a sum over many aliases at many frequencies is the definition.
TEST(UnresolvedDetail, IsTheSumOverAliases) {
    const PerAxis<Index> matrix{32, 20, 1};
    const PerAxis<double> factors{1.0 / 200, 1.0 / 150, 0};
    const double p = 3.2;
    const PowerSpectrum power({0.001, 0.01}, {std::pow(0.001, -p), std::pow(0.01, -p)});
    double sum = 0;
    constexpr int cells = 16, most = 12;
    const auto mean = [](double f) { return std::pow(std::sin(std::numbers::pi * f) / (std::numbers::pi * f), 2); };
    for (int i = -cells; i < cells; ++i) {
        for (int j = -cells; j < cells; ++j) {
            for (int m = -most; m <= most; ++m) {
                for (int n = -most; n <= most; ++n) {
                    const double x = m + (i + 0.5) / (2 * cells), y = n + (j + 0.5) / (2 * cells);
                    const double k = std::hypot(x * 32 * factors[0], y * 20 * factors[1]);
                    sum += m == 0 && n == 0 ? 0 : mean(x) * mean(y) * std::pow(k, -p) / (4 * cells * cells);
                }
            }
        }
    }
    EXPECT_NEAR(unresolved_detail(power, 0, matrix, factors) / sum, 1, 0.03);
}

/// Behind noise: less, and next to nothing where it hides all.
TEST(UnresolvedDetail, CountsAsFarAsTheEdgeOfTheBandIsSeen) {
    const PerAxis<Index> matrix{32, 32, 1};
    const PerAxis<double> factors{0.005, 0.005, 0};
    const PowerSpectrum power({0.005, 0.08}, {1, std::pow(16, -3)});
    const double without = unresolved_detail(power, 0, matrix, factors);
    EXPECT_NEAR(unresolved_detail(power, power(0.08), matrix, factors) / without, 0.5, 0.15);
    EXPECT_LT(unresolved_detail(power, 100 * power(0.08), matrix, factors), 0.03 * without);
}

/// A spectrum whose tail the data do not tell says no more than that of sharp edges.
TEST(UnresolvedDetail, TailsAreNoFlatterThanThoseOfSharpEdges) {
    const PerAxis<Index> matrix{16, 16, 16};
    const PerAxis<double> factors{0.005, 0.005, 0.005};
    const double flat = unresolved_detail(PowerSpectrum({0.01, 0.03}, {1, 1}), 0, matrix, factors);
    const double of_edges = unresolved_detail(PowerSpectrum({0.01, 0.03, 0.06}, {1, 1, 1.0 / 16}), 0, matrix, factors);
    EXPECT_NEAR(flat / of_edges, 1, 1e-9);
    EXPECT_GT(flat, 0);
}

}  // namespace
}  // namespace recon
