#include "core/mri/priors/unresolved_detail.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>
#include <random>
#include <vector>

namespace recon {
namespace {

const std::vector<double> all{0};  ///< noises: the data decide all

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

    /// Sum of squares over the voxels of their means less an image of the object's own frequencies.
    double unresolved() const {
        double sum = 0;
        for (Index f = -voxels / 2; f < voxels / 2; ++f) {
            std::complex<double> mean = 0;
            for (Index m = -fine / 2 + 1; m < fine / 2; ++m) {
                const Index k = f + m * voxels;
                const double angle = std::numbers::pi * static_cast<double>(k) / voxels;
                const double centre = angle / fine;  // of the fine points in the voxel
                const double a = k == 0 ? 1 : std::sin(angle) / (fine * std::sin(centre));
                // from the first fine point of a voxel to its middle
                mean += at(k) * a * std::polar(1.0, centre * (fine - 1));
            }
            const double middle = std::numbers::pi * static_cast<double>(f) / voxels * (fine - 1) / fine;
            sum += std::norm(mean - at(f) * std::polar(1.0, middle));
        }
        return sum / voxels;
    }

    std::complex<double> at(Index k) const { return transform[static_cast<std::size_t>(k + count / 2)]; }

    std::vector<std::complex<double>> transform;
};

TEST(UnresolvedDetail, IsWhatTheMeansOfStepsShowAndTheVoxelsDoNot) {
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
    EXPECT_NEAR(std::sqrt(unresolved_detail(power, all, {Steps::voxels, 1, 1}, {1, 0, 0}) / measured), 1, 0.1);
}

/// P = |k|^-p, of which a sum over many aliases at many frequencies is the definition.
TEST(UnresolvedDetail, IsTheSumOverAliases) {
    const PerAxis<Index> matrix{32, 20, 1};
    const PerAxis<double> factors{1.0 / 200, 1.0 / 150, 0};
    const double p = 3.2;
    const PowerSpectrum power({0.001, 0.01}, {std::pow(0.001, -p), std::pow(0.01, -p)}, -p);
    double sum = 0;
    constexpr int cells = 16, most = 12;
    const auto mean = [](double f) { return std::sin(std::numbers::pi * f) / (std::numbers::pi * f); };
    for (int i = -cells; i < cells; ++i) {
        for (int j = -cells; j < cells; ++j) {
            for (int m = -most; m <= most; ++m) {
                for (int n = -most; n <= most; ++n) {
                    const double x = m + (i + 0.5) / (2 * cells), y = n + (j + 0.5) / (2 * cells);
                    const double k = std::hypot(x * 32 * factors[0], y * 20 * factors[1]);
                    const double a = mean(x) * mean(y);
                    sum += std::pow(m == 0 && n == 0 ? 1 - a : a, 2) * std::pow(k, -p) / (4 * cells * cells);
                }
            }
        }
    }
    EXPECT_NEAR(unresolved_detail(power, all, matrix, factors) / sum, 1, 0.03);
}

/// A smooth object has a value in the middle of each voxel, which its own frequencies show; its means are others.
TEST(UnresolvedDetail, OfASmoothObjectIsWhatItsValuesLack) {
    const PerAxis<Index> matrix{32, 32, 1};
    const PerAxis<double> factors{0.005, 0.005, 0};
    const PowerSpectrum power({0.005, 0.02, 0.08, 0.16}, {1, 1e-2, 1e-6, 1e-10});
    double in_band = 0;
    for (int i = -8; i < 8; ++i) {
        for (int j = -8; j < 8; ++j) {
            const double x = (i + 0.5) / 16, y = (j + 0.5) / 16, pi = std::numbers::pi;
            const double a = std::sin(pi * x) / (pi * x) * std::sin(pi * y) / (pi * y);
            in_band += std::pow(1 - a, 2) * power(std::hypot(x, y) * 32 * 0.005) / 256;
        }
    }
    const double found = unresolved_detail(power, all, matrix, factors);
    EXPECT_GT(found, 0);
    EXPECT_LT(found, 0.1 * in_band);
}

/// Edges rounded by 0.6 voxels: what is beyond the band falls as the Gaussian does, not as it did up to there.
TEST(UnresolvedDetail, OfRoundedEdgesEndsWithTheirGaussian) {
    const PerAxis<Index> matrix{32, 32, 1};
    const PerAxis<double> factors{0.005, 0.005, 0};
    const double band = 32 * 0.005, c = std::pow(2 * std::numbers::pi * 0.6 / band, 2);
    const auto truth = [&](double k) { return std::pow(k, -3) * std::exp(-c * k * k); };
    std::vector<double> knots, values;
    for (const double part : {0.05, 0.08, 0.13, 0.2, 0.32, 0.5}) {
        knots.push_back(part * band);
        values.push_back(truth(knots.back()));
    }
    double beyond = 0;
    constexpr int cells = 20;
    for (int i = -cells; i < cells; ++i) {
        for (int j = -cells; j < cells; ++j) {
            for (int m = -2; m <= 2; ++m) {
                for (int n = -2; n <= 2; ++n) {
                    const double x = m + (i + 0.5) / (2 * cells), y = n + (j + 0.5) / (2 * cells);
                    beyond += m == 0 && n == 0 ? 0 : truth(std::hypot(x, y) * band) / (4 * cells * cells);
                }
            }
        }
    }
    const double found = unresolved_detail(PowerSpectrum(knots, values, slope_of_edges(factors)), all, matrix, factors);
    EXPECT_NEAR(std::sqrt(found / beyond), 1, 0.1);
}

TEST(UnresolvedDetail, CountsAsFarAsTheImageShowsIt) {
    const PerAxis<Index> matrix{32, 32, 1};
    const PerAxis<double> factors{0.005, 0.005, 0};
    const PowerSpectrum power({0.005, 0.08}, {1, std::pow(16, -3)});
    const double without = unresolved_detail(power, all, matrix, factors);
    const auto behind = [&](double noise) { return unresolved_detail(power, std::vector{noise}, matrix, factors); };
    EXPECT_NEAR(behind(power(0.08)) / without, 0.35, 0.15);
    EXPECT_LT(behind(100 * power(0.08)), 0.04 * without);
    const std::vector<double> halves{0, power(0.08)};
    EXPECT_NEAR(2 * unresolved_detail(power, halves, matrix, factors), without + behind(power(0.08)), 1e-9 * without);
}

TEST(UnresolvedDetail, OfVoxelsThatAreLongAlongOneAxisIsFoldedWhereTheSignalIs) {
    const PowerSpectrum power({0.005, 0.08}, {1, std::pow(16, -4)}, -4);
    const double noise = 30 * power(0.08);
    const auto left = [&](PerAxis<Index> matrix) {
        const PerAxis<double> factors{0.005, 0.005, 0.005};
        return unresolved_detail(power, std::vector{noise}, matrix, factors) /
               unresolved_detail(power, all, matrix, factors);
    };
    EXPECT_LT(left({32, 32, 32}), 0.2);
    EXPECT_GT(left({32, 32, 4}), 0.8);
}

TEST(UnresolvedDetail, NoiseOfAResponseLeavesItInTheMean) {
    const PerAxis<Index> matrix{32, 20, 1};
    const PerAxis<double> factors{0.005, 0.005, 0};
    const PowerSpectrum power({0.005, 0.08}, {1, std::pow(16, -3)});
    for (const double response : {0.9, 0.4, 0.02}) {
        const double noise = noise_of_response(power, response, matrix, factors);
        double mean = 0;
        constexpr int cells = 64;
        for (int i = 0; i < cells; ++i) {
            for (int j = 0; j < cells; ++j) {
                const double k = 0.005 * std::hypot((i + 0.5) / cells * 16, (j + 0.5) / cells * 10);
                mean += power(k) / (power(k) + noise) / (cells * cells);
            }
        }
        EXPECT_NEAR(mean, response, 0.03 * response);
    }
    EXPECT_EQ(noise_of_response(power, 1, matrix, factors), 0);
}

/// A spectrum whose tail the data do not tell says no more than that of sharp edges.
TEST(UnresolvedDetail, TailsAreNoFlatterThanThoseOfSharpEdges) {
    const PerAxis<Index> matrix{16, 16, 16};
    const PerAxis<double> factors{0.005, 0.005, 0.005};
    const double flat = unresolved_detail(PowerSpectrum({0.01, 0.03}, {1, 1}), all, matrix, factors);
    const double of_edges =
        unresolved_detail(PowerSpectrum({0.01, 0.03, 0.06}, {1, 1, 1.0 / 16}), all, matrix, factors);
    EXPECT_NEAR(flat / of_edges, 1, 1e-9);
    EXPECT_GT(flat, 0);
}

}  // namespace
}  // namespace recon
