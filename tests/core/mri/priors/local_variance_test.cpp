#include "core/mri/priors/local_variance.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/backends.hpp"

namespace recon {
namespace {

class LocalVarianceOnEveryBackend : public ::testing::TestWithParam<test::BackendFactory> {
protected:
    Array uploaded(const Shape& shape, const std::vector<cfloat>& values) {
        Array array(*backend_, shape, Precision::single);
        upload(values, array);
        return array;
    }
    /// v of differences [x y axis]
    std::vector<double> variance(Index n, const std::vector<cfloat>& of_image, const std::vector<cfloat>& of_error) {
        const Shape shape = Shape::image({n, n, 1}).with_axis("axis", 2);
        Array image = uploaded(shape, of_image), error = uploaded(shape, of_error);
        const LocalVariance result = local_variance(image, error);
        std::vector<double> values;
        for (const cfloat& value : download<float>(result.relative)) {
            values.push_back(result.scale * static_cast<double>(value.real()));
        }
        return values;
    }

    std::unique_ptr<Backend> backend_ = GetParam().make();
};

TEST_P(LocalVarianceOnEveryBackend, SmoothingKeepsConstantsAndSpreadsAPoint) {
    for (const PerAxis<Index> size : {PerAxis<Index>{9, 7, 5}, PerAxis<Index>{31, 1, 1}, PerAxis<Index>{1, 1, 1}}) {
        Array constant(*backend_, Shape::image(size), Precision::single);
        backend_->fill(3, constant);
        smooth(4, constant);
        for (const cfloat& value : download<float>(constant)) {
            EXPECT_NEAR(value.real(), 3, 1e-6);
        }
    }
    std::vector<cfloat> values(41, 0.0F);
    values[20] = 1;
    Array point = uploaded(Shape::image({41, 1, 1}), values);
    smooth(2, point);
    values = download<float>(point);
    double sum = 0;
    for (const cfloat& value : values) {
        sum += static_cast<double>(value.real());
    }
    EXPECT_NEAR(sum, 1, 1e-6);
    EXPECT_NEAR(values[22].real() / values[20].real(), std::exp(-0.5), 1e-6);
    EXPECT_EQ(values[18], values[22]);
}

TEST_P(LocalVarianceOnEveryBackend, IsPositiveWhateverTheImage) {
    const std::vector<cfloat> zeros(32);
    EXPECT_EQ(variance(4, zeros, zeros), std::vector<double>(32, 1.0));
    std::vector<cfloat> edge(800, 0.0F);
    edge[0] = {3, 4};
    for (const double v : variance(20, edge, std::vector<cfloat>(800))) {
        EXPECT_GT(v, 0);
    }
}

/// Two steps across x: the differences along x vary there, those along y nowhere; errors add to each axis a quarter of
/// their own. Also in units whose squares single precision does not hold.
TEST_P(LocalVarianceOnEveryBackend, AxesHaveTheirOwn) {
    constexpr std::size_t voxels = 24 * 24;
    for (const float unit : {1.0F, 1e-25F, 1e25F}) {
        std::vector<cfloat> of_image(2 * voxels), of_error(2 * voxels);
        for (std::size_t row = 0; row < 24; ++row) {
            of_image[24 * row + 12] = cfloat{3, 4} * unit;
        }
        std::fill(of_error.begin(), of_error.begin() + voxels, unit);
        std::fill(of_error.begin() + voxels, of_error.end(), 2.0F * unit);
        std::vector<double> v = variance(24, of_image, of_error);
        for (double& value : v) {
            value /= static_cast<double>(unit) * static_cast<double>(unit);
        }
        const std::size_t middle = 24 * 12 + 12;
        EXPECT_GT(v[middle], 10);
        EXPECT_NEAR(v[middle + 8], 0.25, 1e-4);
        EXPECT_NEAR(v[voxels + middle], 1, 1e-4);
    }
}

INSTANTIATE_TEST_SUITE_P(, LocalVarianceOnEveryBackend, test::every_backend(),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace recon
