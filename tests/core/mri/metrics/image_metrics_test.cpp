#include "core/mri/metrics/image_metrics.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/base/error.hpp"
#include "core/base/shape.hpp"
#include "tests/support/error_matchers.hpp"
#include "tests/support/random.hpp"

namespace recon {
namespace {

using test::expect_error;

std::vector<cfloat> random_image(Index count, unsigned seed) {
    const auto values = test::random_values(count, seed);
    return {values.begin(), values.end()};
}

std::vector<float> random_magnitudes(Index count, unsigned seed) {
    std::vector<float> magnitudes;
    for (const cfloat value : random_image(count, seed)) {
        magnitudes.push_back(std::abs(value));
    }
    return magnitudes;
}

// SSIM straight from its definition: one window, one sum over all voxels in it.
double ssim_by_definition(const std::vector<float>& x, const std::vector<float>& y, PerAxis<Index> size, double peak) {
    const double c1 = 1e-4 * peak * peak, c2 = 9e-4 * peak * peak;
    double total = 0;
    for (Index n = 0; n < static_cast<Index>(x.size()); ++n) {
        const PerAxis<Index> centre{n % size[0], n / size[0] % size[1], n / (size[0] * size[1])};
        double weights = 0, mx = 0, my = 0, mxx = 0, myy = 0, mxy = 0;
        for (Index m = 0; m < static_cast<Index>(x.size()); ++m) {
            const PerAxis<Index> at{m % size[0], m / size[0] % size[1], m / (size[0] * size[1])};
            double square = 0;
            bool inside = true;
            for (int axis = 0; axis < 3; ++axis) {
                const Index u = at[axis] - centre[axis];
                inside = inside && std::abs(u) <= 5;
                square += static_cast<double>(u * u);
            }
            const double w = inside ? std::exp(-square / (2 * 1.5 * 1.5)) : 0;
            const double a = x[m], b = y[m];
            weights += w;
            mx += w * a, my += w * b, mxx += w * a * a, myy += w * b * b, mxy += w * a * b;
        }
        mx /= weights, my /= weights, mxx /= weights, myy /= weights, mxy /= weights;
        total += (2 * mx * my + c1) * (2 * (mxy - mx * my) + c2) /
                 ((mx * mx + my * my + c1) * (mxx - mx * mx + myy - my * my + c2));
    }
    return total / static_cast<double>(x.size());
}

constexpr double rounding = 1e-12;  // sums of at most some thousand doubles of order one

TEST(ImageMetrics, FiguresOfAnImageSmallEnoughToCountByHand) {
    // reference 3, 4 and a zero; the image is turned by 90 degrees, half as bright, and wrong by 1 in the last voxel
    const std::vector<cfloat> reference{{3, 0}, {4, 0}, {0, 0}, {0, 0}};
    const std::vector<cfloat> image{{0, 1.5}, {0, 2}, {0, 0}, {0, 1}};
    const ImageComparison figures = compare_images(image, reference, {2, 2, 1});

    EXPECT_EQ(figures.voxel_count, 4);
    EXPECT_EQ(figures.mask_voxel_count, 2);
    EXPECT_NEAR(std::abs(figures.scale - cdouble(0, -2)), 0, rounding);
    // |3 - 1.5i|^2 + |4 - 2i|^2 + 1 = 11.25 + 20 + 1
    EXPECT_NEAR(figures.nrmse, std::sqrt(32.25 / 25), rounding);
    // s a = 3, 4, 0, 2
    EXPECT_NEAR(figures.nrmse_scaled, 2.0 / 5, rounding);
    EXPECT_NEAR(figures.nrmse_mask, 0, rounding);
    EXPECT_NEAR(figures.psnr_db, 20 * std::log10(4 / std::sqrt(4.0 / 4)), 1e-9);
    EXPECT_GT(figures.snr_db, 240);  // rounding alone
}

TEST(ImageMetrics, SignalToNoiseIsThatOfTheMask) {
    const std::vector<cfloat> reference{{10, 0}, {0, 10}, {0, 0}};
    const std::vector<cfloat> image{{10, 1}, {1, 10}, {5, 0}};
    // s = sum conj(a) b / sum |a|^2 = ((10 - i) 10 + (1 - 10i) 10i) / 202 = 200 / 202
    const ImageComparison figures = compare_images(image, reference, {3, 1, 1});
    EXPECT_NEAR(std::abs(figures.scale - 200.0 / 202), 0, rounding);
    // the error left after the fit: |b|^2 - |<a,b>|^2 / |a|^2
    const double error = 200 - 200.0 * 200 / 202;
    EXPECT_NEAR(figures.nrmse_mask, std::sqrt(error / 200), rounding);
    EXPECT_NEAR(figures.snr_db, 10 * std::log10(200 / error), 1e-9);
}

TEST(ImageMetrics, EqualImagesHaveNoError) {
    const auto image = random_image(7 * 5 * 3, 1);
    const ImageComparison figures = compare_images(image, image, {7, 5, 3});
    EXPECT_EQ(figures.nrmse, 0);
    EXPECT_LT(figures.nrmse_scaled, 1e-15);  // the fitted scale is 1 but for rounding
    EXPECT_GT(figures.psnr_db, 300);
    EXPECT_NEAR(figures.ssim, 1, 1e-7);  // magnitudes are rounded to float
}

TEST(ImageMetrics, AComplexScaleChangesOnlyThePlainError) {
    const auto reference = random_image(16 * 9, 2);
    auto image = random_image(16 * 9, 3);
    for (std::size_t n = 0; n < image.size(); ++n) {
        image[n] = reference[n] + 0.3F * image[n];
    }
    const ImageComparison before = compare_images(image, reference, {16, 9, 1});
    for (cfloat& voxel : image) {
        voxel *= cfloat(-2e10F, 5e9F);
    }
    const ImageComparison after = compare_images(image, reference, {16, 9, 1});
    constexpr double float_rounding = 1e-6;
    EXPECT_GT(after.nrmse, 1e9);
    EXPECT_NEAR(after.nrmse_scaled, before.nrmse_scaled, float_rounding);
    EXPECT_NEAR(after.nrmse_mask, before.nrmse_mask, float_rounding);
    EXPECT_NEAR(after.psnr_db, before.psnr_db, 20 * float_rounding);
    EXPECT_NEAR(after.ssim, before.ssim, float_rounding);
}

TEST(ImageMetrics, AnEmptyImageIsOneHundredPercentWrong) {
    const auto reference = random_image(11 * 3, 4);
    const ImageComparison figures = compare_images(std::vector<cfloat>(33), reference, {11, 3, 1});
    EXPECT_EQ(figures.scale, cdouble(0));
    EXPECT_EQ(figures.nrmse, 1);
    EXPECT_EQ(figures.nrmse_scaled, 1);
    EXPECT_EQ(figures.snr_db, 0);
    EXPECT_LT(figures.ssim, 0.1);
}

TEST(ImageMetrics, TheMaskIgnoresHotVoxelsAndFindsSmallObjects) {
    std::vector<cfloat> reference(1000, cfloat(0.001F));
    std::fill_n(reference.begin(), 300, cfloat(1));
    reference[500] = 1e6F;
    EXPECT_EQ(std::ranges::count(signal_mask(reference), true), 301);

    std::vector<cfloat> point(1000);
    point[3] = {0, 1e-20F};
    const auto mask = signal_mask(point);
    EXPECT_EQ(std::ranges::count(mask, true), 1);
    EXPECT_TRUE(mask[3]);
}

TEST(ImageMetrics, BadInputIsNamed) {
    const std::vector<cfloat> ones(6, cfloat(1));
    expect_error<InputError>([&] { compare_images(ones, std::vector<cfloat>(5), {2, 3, 1}); }, {"6", "5", "[x 2"});
    expect_error<InputError>([&] { compare_images(ones, ones, {2, 2, 1}); }, {"6", "expected 4"});
    expect_error<InputError>([&] { compare_images(ones, std::vector<cfloat>(6), {2, 3, 1}); }, {"zero everywhere"});
    auto broken = ones;
    broken[3] = {1, std::numeric_limits<float>::quiet_NaN()};
    expect_error<InputError>([&] { compare_images(broken, ones, {2, 3, 1}); }, {"image", "x 1, y 1, z 0", "finite"});
    broken[3] = {std::numeric_limits<float>::infinity(), 0};
    expect_error<InputError>([&] { compare_images(ones, broken, {2, 3, 1}); }, {"reference", "finite"});
    EXPECT_THROW(mean_ssim(std::vector<float>(6), std::vector<float>(6), {2, 2, 1}, 1), ShapeError);
    EXPECT_THROW(mean_ssim(std::vector<float>(4), std::vector<float>(4), {2, 2, 1}, 0), ShapeError);
}

TEST(ImageMetrics, HugeAndTinyNumbersDoNotOverflow) {
    auto reference = random_image(64, 5);
    auto image = reference;
    for (std::size_t n = 0; n < image.size(); ++n) {
        image[n] = reference[n] * 1e-37F;
        reference[n] *= 1e37F;
    }
    const ImageComparison figures = compare_images(image, reference, {8, 8, 1});
    EXPECT_LT(figures.nrmse_scaled, 1e-5);  // 1e-37 leaves few digits of a float
    EXPECT_NEAR(figures.ssim, 1, 1e-5);
}

class Ssim : public ::testing::TestWithParam<PerAxis<Index>> {};

TEST_P(Ssim, AgreesWithItsDefinition) {
    const auto size = GetParam();
    const Index count = Shape::image(size).element_count();
    const auto x = random_magnitudes(count, 6);
    const auto noise = random_magnitudes(count, 7);
    auto y = x;
    for (std::size_t n = 0; n < y.size(); ++n) {
        y[n] += 0.5F * noise[n];
    }
    const double expected = ssim_by_definition(x, y, size, 2.5);
    EXPECT_NEAR(mean_ssim(x, y, size, 2.5), expected, rounding);
    EXPECT_LT(expected, 0.999);  // not a comparison of ones
    EXPECT_EQ(mean_ssim(x, x, size, 2.5), 1);
}

INSTANTIATE_TEST_SUITE_P(Sizes, Ssim,
                         ::testing::Values(PerAxis<Index>{13, 17, 1}, PerAxis<Index>{5, 3, 2}, PerAxis<Index>{29, 1, 1},
                                           PerAxis<Index>{1, 1, 31}, PerAxis<Index>{7, 1, 13},
                                           PerAxis<Index>{9, 12, 11}, PerAxis<Index>{2, 2, 71}));

TEST(Ssim, IsTheSameNumberWhateverTheBrightness) {
    const auto x = random_magnitudes(400, 8);
    const auto y = random_magnitudes(400, 9);
    auto x_bright = x, y_bright = y;
    for (std::size_t n = 0; n < x.size(); ++n) {
        x_bright[n] *= 1024;  // a power of two: no rounding
        y_bright[n] *= 1024;
    }
    EXPECT_DOUBLE_EQ(mean_ssim(x, y, {20, 20, 1}, 3), mean_ssim(x_bright, y_bright, {20, 20, 1}, 3 * 1024));
}

TEST(Deviation, FollowsItsFormulas) {
    const std::vector<cdouble> exact{{3, 0}, {0, -4}, {0, 0}};
    const std::vector<cfloat> found{{3, 0.5F}, {0, -4}, {0, 0}};
    const Deviation d = deviation(found, exact);
    EXPECT_DOUBLE_EQ(d.largest, 0.5);
    EXPECT_DOUBLE_EQ(d.relative_l2, 0.1);
    EXPECT_NEAR(d.snr_db, 20, 1e-12);
    EXPECT_NEAR(d.psnr_db, 20 * std::log10(4 / (0.5 / std::sqrt(3.0))), 1e-12);
}

TEST(Deviation, IsInfiniteForEqualNumbersAndNotANumberForThose) {
    const std::vector<cdouble> exact{{1, 0}, {2, 0}};
    EXPECT_TRUE(std::isinf(deviation(std::vector<cfloat>{{1, 0}, {2, 0}}, exact).psnr_db));
    const std::vector<cfloat> broken{{std::nanf(""), 0}, {2, 0}};
    EXPECT_TRUE(std::isnan(deviation(broken, exact).relative_l2));
    EXPECT_TRUE(std::isnan(deviation(broken, exact).largest));
    EXPECT_THROW(deviation(std::vector<cfloat>{{1, 0}}, exact), ShapeError);
}

}  // namespace
}  // namespace recon
