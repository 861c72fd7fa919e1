#include "core/fourier/gridding_kernel.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/base/error.hpp"
#include "core/fourier/kernel_polynomials.hpp"

namespace recon {
namespace {

constexpr double oversamplings[] = {1.25, 1.5, 2.0};

template <class Function>
void for_each_kernel(Function&& function) {
    for (const double oversampling : oversamplings) {
        for (int width = GriddingKernel::min_width; width <= GriddingKernel::max_width; ++width) {
            SCOPED_TRACE(testing::Message() << "width " << width << ", oversampling " << oversampling);
            function(GriddingKernel::of_width(width, oversampling));
        }
    }
}

TEST(GriddingKernel, IsEvenPositiveAndFallsFromOneAtTheMiddle) {
    for_each_kernel([](const GriddingKernel& kernel) {
        EXPECT_NEAR(kernel.value(0), 1, 1e-14);
        double before = 1;
        for (double u = 0.1; u < 0.5 * kernel.width; u += 0.1) {
            EXPECT_NEAR(kernel.value(u), kernel.value(-u), 1e-15);
            EXPECT_GT(kernel.value(u), 0);
            EXPECT_LT(kernel.value(u), before);
            before = kernel.value(u);
        }
        EXPECT_EQ(kernel.value(0.5 * kernel.width + 1e-9), 0);
    });
}

TEST(GriddingKernel, SatisfiesTheEigenvalueEquationOfTheProlateFunction) {
    // Its transform within the band is itself, scaled: transform(beta t / (pi width)) = transform(0) value(t width /
    // 2).
    for_each_kernel([](const GriddingKernel& kernel) {
        for (const double t : {0.1, 0.35, 0.7, 0.95}) {
            EXPECT_NEAR(kernel.transform(kernel.beta * t / (pi * kernel.width)) / kernel.transform(0),
                        kernel.value(0.5 * t * kernel.width), 1e-13);
        }
    });
}

TEST(GriddingKernel, TransformAgreesWithTheTrapezoidalRule) {
    // Kernels of width 12 and more are so small at their edge that the trapezoidal rule converges to rounding.
    const GriddingKernel kernel = GriddingKernel::of_width(14, 2);
    for (const double x : {0.0, 0.2, 0.5, 0.77, 1.3, 3.4}) {
        constexpr double step = 1.0 / 64;
        double sum = 0;
        for (double u = -7; u <= 7; u += step) {
            sum += step * kernel.value(u) * std::cos(2 * pi * u * x);
        }
        EXPECT_NEAR(kernel.transform(x), sum, 1e-13);
    }
}

TEST(GriddingKernel, AliasingFallsWithEveryGridPointOfWidth) {
    for (const double oversampling : oversamplings) {
        // Least factor for a grid point: half of exp(pi sqrt(1 - 1/sigma)), the rate of [Barnett 2019].
        const double factor = 0.5 * std::exp(pi * std::sqrt(1 - 1 / oversampling));
        for (int width = 2; width < 14; ++width) {
            EXPECT_GT(GriddingKernel::of_width(width, oversampling).mean_aliasing(),
                      factor * GriddingKernel::of_width(width + 1, oversampling).mean_aliasing());
        }
    }
}

TEST(GriddingKernel, NarrowestKernelForATolerance) {
    for (double tolerance = 1e-2; tolerance > 1e-13; tolerance /= 10) {
        const GriddingKernel kernel = GriddingKernel::for_tolerance(tolerance, 2);
        EXPECT_LE(std::sqrt(3.0) * kernel.mean_aliasing(), tolerance);
        EXPECT_GT(std::sqrt(3.0) * GriddingKernel::of_width(kernel.width - 1, 2).mean_aliasing(), tolerance);
    }
    EXPECT_LE(GriddingKernel::for_tolerance(1e-4, 2).width, 6);
    EXPECT_LE(GriddingKernel::for_tolerance(1e-12, 2).width, 15);
}

TEST(GriddingKernel, ImpossibleRequestsAreErrors) {
    EXPECT_THROW(GriddingKernel::for_tolerance(1e-12, 1.25), UsageError);
    EXPECT_THROW(GriddingKernel::for_tolerance(0, 2), UsageError);
    EXPECT_THROW(GriddingKernel::of_width(1, 2), UsageError);
    EXPECT_THROW(GriddingKernel::of_width(17, 2), UsageError);
    EXPECT_THROW(GriddingKernel::of_width(4, 1), UsageError);
}

TEST(KernelPolynomials, MeetTheErrorAskedForBetweenTheFittedPoints) {
    for_each_kernel([](const GriddingKernel& kernel) {
        // What double can give: rounding of the kernel's own value and of the polynomial.
        constexpr double rounding = 1e-14;
        const double error = harmless_value_error(kernel);
        const KernelPolynomials fit = KernelPolynomials::fit(kernel, error);
        for (int point = 0; point < kernel.width; ++point) {
            for (double t = -0.997; t < 1; t += 0.0313) {
                // 1.1: the largest error may lie between the places where the fit was judged.
                EXPECT_NEAR(fit.value(point, t), kernel.value(point + 0.5 * (t + 1 - kernel.width)),
                            1.1 * error + rounding);
            }
        }
    });
}

/// As gridding on the GPU takes for granted (gpu/gridding/gridding_bins.cuh).
TEST(KernelPolynomials, OfNarrowKernelsHaveFewPowers) {
    for (int width = GriddingKernel::min_width; width <= 8; ++width) {
        for (double oversampling = 1.1; oversampling <= 4; oversampling += 0.1) {
            const GriddingKernel kernel = GriddingKernel::of_width(width, oversampling);
            const KernelPolynomials polynomials = KernelPolynomials::fit(kernel, harmless_value_error(kernel));
            EXPECT_LE(polynomials.degree, width + 2) << width << ", " << oversampling;
            // The weight of a point is, at -t, that of the point opposite.
            for (int power = 0; power <= polynomials.degree; ++power) {
                for (int point = 0; point < width; ++point) {
                    const double here = polynomials.coefficient[power * width + point];
                    const double opposite = polynomials.coefficient[power * width + width - 1 - point];
                    EXPECT_NEAR(here, power % 2 == 0 ? opposite : -opposite, 1e-9) << width << ", " << oversampling;
                }
            }
        }
    }
}

TEST(NextFftSize, IsSmoothNotBelowAndNear) {
    for (Index minimum = 1; minimum < 3000; minimum += 7) {
        const Index size = next_fft_size(minimum);
        Index rest = size;
        for (const Index factor : {2, 3, 5}) {
            while (rest % factor == 0) {
                rest /= factor;
            }
        }
        EXPECT_EQ(rest, 1);
        EXPECT_GE(size, minimum);
        EXPECT_LE(size, minimum < 20 ? minimum + 3 : minimum * 5 / 4);
    }
    EXPECT_EQ(next_fft_size(1), 1);
    EXPECT_EQ(next_fft_size(160), 160);
    EXPECT_EQ(next_fft_size(255), 256);
}

}  // namespace
}  // namespace recon
