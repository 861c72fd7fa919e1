#include "core/backend/cpu/fft/batched_fft.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <random>

#include "core/base/cpu_memory.hpp"
#include "core/base/error.hpp"
#include "tests/support/random.hpp"

namespace recon {
namespace {

template <class T>
class BatchedFftOf : public ::testing::Test {
protected:
    static constexpr int width = lane_count<T>;
    using Complex = ComplexLanes<T>;

    /// Relative error bound of an FFT, c eps log2(n), root mean square [Gentleman 1966]; c = 2 covers every radix here.
    static double tolerance(Index n) {
        return 2 * std::numeric_limits<T>::epsilon() * (1 + std::log2(static_cast<double>(n)));
    }

    std::vector<cdouble> random_signal(Index n) {
        std::normal_distribution<double> normal;
        std::vector<cdouble> signal(n * width);
        for (cdouble& value : signal) {
            // rounded to T, so that the reference transforms what the transform under test sees
            value = {static_cast<double>(static_cast<T>(normal(random_))),
                     static_cast<double>(static_cast<T>(normal(random_)))};
        }
        return signal;
    }

    /// DFT of every lane in double; sign -1 forward, +1 inverse, phases reduced in integers.
    static std::vector<cdouble> direct_transform(const std::vector<cdouble>& x, Index n, int sign) {
        std::vector<cdouble> root(n);
        for (Index i = 0; i < n; ++i) {
            root[i] = std::polar(1.0, sign * 2 * pi * static_cast<double>(i) / static_cast<double>(n));
        }
        std::vector<cdouble> y(x.size());
        for (Index k = 0; k < n; ++k) {
            for (Index j = 0; j < n; ++j) {
                for (int l = 0; l < width; ++l) {
                    y[k * width + l] += x[j * width + l] * root[j * k % n];
                }
            }
        }
        return y;
    }

    static void put(const std::vector<cdouble>& x, Index i, Complex& lanes) {
        for (int l = 0; l < width; ++l) {
            lanes.re[l] = static_cast<T>(x[i * width + l].real());
            lanes.im[l] = static_cast<T>(x[i * width + l].imag());
        }
    }
    static void get(const Complex& lanes, Index i, std::vector<cdouble>& x) {
        for (int l = 0; l < width; ++l) {
            x[i * width + l] = {lanes.re[l], lanes.im[l]};
        }
    }

    auto loader(const std::vector<cdouble>& x) {
        return [&x](Index i) {
            Complex value;
            put(x, i, value);
            return value;
        };
    }

    std::mt19937_64 random_{42};
};

using Reals = ::testing::Types<float, double>;
TYPED_TEST_SUITE(BatchedFftOf, Reals);

constexpr Index lengths[] = {1,  2,  3,  4,  5,  6,  8,  9,   10,  12,  15,  16,  18,  20,  24,  25,
                             27, 30, 32, 45, 60, 64, 75, 120, 125, 128, 150, 243, 256, 300, 512, 625};

std::vector<Index> smooth_lengths(Index limit) {
    std::vector<Index> result;
    for (Index n = 1; n <= limit; ++n) {
        Index rest = n;
        for (const Index prime : {2, 3, 5}) {
            while (rest % prime == 0) {
                rest /= prime;
            }
        }
        if (rest == 1) {
            result.push_back(n);
        }
    }
    return result;
}

TYPED_TEST(BatchedFftOf, ForwardAndInverseAgreeWithTheDirectTransform) {
    for (const Index n : lengths) {
        const BatchedFft<TypeParam> fft(n);
        CpuBuffer<ComplexLanes<TypeParam>> buffer(n);
        const auto x = this->random_signal(n);
        std::vector<cdouble> forward(x.size()), inverse(x.size());
        fft.forward(buffer.data(), butterfly::Part::all, this->loader(x),
                    [&](Index p, ComplexLanes<TypeParam> value) { this->get(value, fft.frequency_at(p), forward); });
        EXPECT_LT(test::relative_difference(forward, this->direct_transform(x, n, -1)), this->tolerance(n))
            << "n = " << n;

        const auto by_frequency = this->loader(x);
        fft.inverse(
            buffer.data(), butterfly::Part::all, [&](Index p) { return by_frequency(fft.frequency_at(p)); },
            [&](Index i, ComplexLanes<TypeParam> value) { this->get(value, i, inverse); });
        EXPECT_LT(test::relative_difference(inverse, this->direct_transform(x, n, +1)), this->tolerance(n))
            << "n = " << n;
    }
}

TYPED_TEST(BatchedFftOf, InverseOfForwardIsTheLengthTimesTheSignalForEveryLengthUpToAThousand) {
    for (const Index n : smooth_lengths(1000)) {
        const BatchedFft<TypeParam> fft(n);
        CpuBuffer<ComplexLanes<TypeParam>> spectrum(n), buffer(n);
        auto x = this->random_signal(n);
        std::vector<cdouble> back(x.size());
        fft.forward(buffer.data(), butterfly::Part::all, this->loader(x),
                    [&](Index p, ComplexLanes<TypeParam> value) { spectrum.data()[p] = value; });
        fft.inverse(
            buffer.data(), butterfly::Part::all, [&](Index p) { return spectrum.data()[p]; },
            [&](Index i, ComplexLanes<TypeParam> value) { this->get(value, i, back); });
        for (cdouble& value : x) {
            value *= static_cast<double>(n);
        }
        EXPECT_LT(test::relative_difference(back, x), 2 * this->tolerance(n)) << "n = " << n;
    }
}

TYPED_TEST(BatchedFftOf, SkippingZerosAndUnwantedResultsChangesNothing) {
    for (const Index n : lengths) {
        const Index count = (n + 1) / 2;
        const BatchedFft<TypeParam> fft(n);
        CpuBuffer<ComplexLanes<TypeParam>> buffer(n);
        CpuBuffer<Lanes<TypeParam>> factor(n);
        std::vector<double> factors(n);
        auto x = this->random_signal(n);
        std::fill(x.begin() + count * this->width, x.end(), 0.0);
        for (Index p = 0; p < n; ++p) {
            factors[p] = 1 + static_cast<double>(p % 7);
            factor.data()[p] = Lanes<TypeParam>{} + static_cast<TypeParam>(factors[p]);
        }
        // reference: the convolution by direct transforms
        auto expected = this->direct_transform(x, n, -1);
        for (Index p = 0; p < n; ++p) {
            for (int l = 0; l < this->width; ++l) {
                expected[fft.frequency_at(p) * this->width + l] *= factors[p];
            }
        }
        expected = this->direct_transform(expected, n, +1);
        expected.resize(count * this->width);

        std::vector<cdouble> result(expected.size());
        const auto source = this->loader(x);
        fft.convolve(
            buffer.data(), fft.part_for(count), [&](Index i) { return source(i); }, factor.data(),
            [&](Index i, ComplexLanes<TypeParam> value) {
                if (i < count) {
                    this->get(value, i, result);
                }
            });
        EXPECT_LT(test::relative_difference(result, expected), 2 * this->tolerance(n)) << "n = " << n;
    }
}

TYPED_TEST(BatchedFftOf, LanesDoNotMix) {
    const Index n = 60;
    const BatchedFft<TypeParam> fft(n);
    CpuBuffer<ComplexLanes<TypeParam>> buffer(n);
    std::vector<cdouble> x(n * this->width);
    for (Index i = 0; i < n; ++i) {
        x[i * this->width] = {1.0 + static_cast<double>(i), -2.0};  // lane 0 alone
    }
    std::vector<cdouble> y(x.size());
    fft.forward(buffer.data(), butterfly::Part::all, this->loader(x),
                [&](Index p, ComplexLanes<TypeParam> value) { this->get(value, p, y); });
    for (std::size_t i = 0; i < y.size(); ++i) {
        if (i % this->width != 0) {
            EXPECT_EQ(y[i], 0.0);
        }
    }
    EXPECT_NE(y[0], 0.0);
}

TEST(FftRadices, MultiplyToTheLengthAndStartEvenWhereTheyCan) {
    for (const Index n : smooth_lengths(5000)) {
        const std::vector<int> radices = fft_radices(n);
        EXPECT_EQ(std::accumulate(radices.begin(), radices.end(), Index{1}, std::multiplies<>()), n);
        if (n % 2 == 0) {
            EXPECT_EQ(radices.front() % 2, 0) << n;
        }
    }
}

TEST(FftRadices, RefuseOtherLengths) {
    for (const Index n : {Index{0}, Index{-4}, Index{7}, Index{22}, Index{1001}}) {
        EXPECT_THROW(fft_radices(n), ShapeError) << n;
    }
}

}  // namespace
}  // namespace recon
