#include "app/reconstruction/scan_prior/error_beside_image.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/backends.hpp"

namespace recon {
namespace {

class ErrorBesideImageOnEveryBackend : public ::testing::TestWithParam<test::BackendFactory> {
protected:
    Array filled(const std::vector<cfloat>& values) {
        Array array(*backend_, Shape::image({std::ssize(values), 1, 1}), Precision::single);
        upload(values, array);
        return array;
    }

    std::unique_ptr<Backend> backend_ = GetParam().make();
};

/// 64 voxels of object, 64 of air, and a sample of the same size in all of them.
TEST_P(ErrorBesideImageOnEveryBackend, IsThatOfTheObjectWhereTheRestIsAir) {
    std::vector<cfloat> image(128, 0.0F), sample(128);
    for (std::size_t i = 0; i < 128; ++i) {
        image[i] = i < 64 ? cfloat(0, 100) : cfloat(0.1F, 0);
        sample[i] = i % 2 == 0 ? cfloat(1, 0) : cfloat(0, -1);
    }
    EXPECT_NEAR(size_beside_image(filled(sample), filled(image)), 8, 0.35);  // some voxels reach into the object
    EXPECT_NEAR(norm(filled(sample)), std::sqrt(128.0), 1e-5);
}

TEST_P(ErrorBesideImageOnEveryBackend, IsNoMoreThanSampleOrImage) {
    const std::vector<cfloat> ones(50, 1.0F), large(50, 1000.0F), none(50, 0.0F);
    const double root = std::sqrt(50.0);
    EXPECT_NEAR(size_beside_image(filled(ones), filled(large)), root, 1e-4);
    EXPECT_NEAR(size_beside_image(filled(large), filled(ones)), root, 1e-4);
    EXPECT_NEAR(size_beside_image(filled(ones), filled(ones)), root / std::sqrt(2.0), 1e-4);
    EXPECT_EQ(size_beside_image(filled(none), filled(ones)), 0);
    EXPECT_NEAR(size_beside_image(filled(ones), filled(none)), 0, 1e-4);
    EXPECT_EQ(size_beside_image(filled(none), filled(none)), 0);
}

/// Squares of squares would leave single precision.
TEST_P(ErrorBesideImageOnEveryBackend, IsAsLargeInAnyUnit) {
    for (const float unit : {1e-18F, 1e18F}) {
        const std::vector<cfloat> image(40, 2 * unit), sample(40, unit);
        EXPECT_NEAR(size_beside_image(filled(sample), filled(image)) / static_cast<double>(unit), std::sqrt(40 * 0.8),
                    1e-4);
    }
}

INSTANTIATE_TEST_SUITE_P(, ErrorBesideImageOnEveryBackend, test::every_backend(),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace recon
