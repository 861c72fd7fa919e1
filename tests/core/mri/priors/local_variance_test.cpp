#include "core/mri/priors/local_variance.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "core/mri/priors/white_draw.hpp"

namespace recon {
namespace {

TEST(LocalVariance, SmoothingKeepsConstantsAndSpreadsAPoint) {
    for (const PerAxis<Index> size : {PerAxis<Index>{9, 7, 5}, PerAxis<Index>{31, 1, 1}, PerAxis<Index>{1, 1, 1}}) {
        const auto count = static_cast<std::size_t>(size[0] * size[1] * size[2]);
        std::vector<double> constant(count, 3.0);
        smooth(size, 4, constant);
        for (const double value : constant) {
            EXPECT_NEAR(value, 3, 1e-12);
        }
    }
    std::vector<double> point(41, 0.0);
    point[20] = 1;
    smooth({41, 1, 1}, 2, point);
    EXPECT_NEAR(std::accumulate(point.begin(), point.end(), 0.0), 1, 1e-12);
    EXPECT_NEAR(point[22] / point[20], std::exp(-0.5), 1e-12);
    EXPECT_EQ(point[18], point[22]);
}

TEST(LocalVariance, IsPositiveWhateverTheImage) {
    const std::vector<cfloat> zeros(32);
    EXPECT_EQ(local_variance({4, 4, 1}, zeros, zeros), std::vector<double>(32, 1.0));
    std::vector<cfloat> edge(800, 0.0F);
    edge[0] = {3, 4};
    for (const double v : local_variance({20, 20, 1}, edge, std::vector<cfloat>(800))) {
        EXPECT_GT(v, 0);
    }
}

/// Two steps across x: the differences along x vary there, those along y nowhere; errors add to each axis its own.
TEST(LocalVariance, AxesHaveTheirOwn) {
    constexpr std::size_t voxels = 24 * 24;
    std::vector<cfloat> of_image(2 * voxels), of_error(2 * voxels);
    for (std::size_t row = 0; row < 24; ++row) {
        of_image[24 * row + 12] = {3, 4};
    }
    std::fill(of_error.begin(), of_error.begin() + voxels, 1.0F);
    std::fill(of_error.begin() + voxels, of_error.end(), 2.0F);
    const std::vector<double> v = local_variance({24, 24, 1}, of_image, of_error);
    const std::size_t middle = 24 * 12 + 12;
    EXPECT_GT(v[middle], 10);
    EXPECT_NEAR(v[middle + 8], 1, 1e-6);
    EXPECT_NEAR(v[voxels + middle], 4, 1e-6);
}

TEST(WhiteDraw, IsWhiteAndTheSameInParts) {
    std::vector<cfloat> whole(20000);
    fill_white(3, 0, whole);
    std::vector<cfloat> part(100);
    fill_white(3, 1234, part);
    EXPECT_TRUE(std::equal(part.begin(), part.end(), whole.begin() + 1234));
    std::vector<cfloat> other(whole.size());
    fill_white(4, 0, other);
    cdouble mean = 0, square = 0, neighbours = 0, streams = 0;
    for (std::size_t i = 0; i + 1 < whole.size(); ++i) {
        const cdouble n = whole[i];
        mean += n;
        square += n * n;
        neighbours += n * std::conj(cdouble(whole[i + 1]));
        streams += n * std::conj(cdouble(other[i]));
    }
    const double five_deviations = 5 * std::sqrt(static_cast<double>(whole.size()));
    for (const cdouble sum : {mean, square, neighbours, streams}) {
        EXPECT_LT(std::abs(sum), five_deviations);
    }
}

}  // namespace
}  // namespace recon
