#include "core/mri/noise/high_frequencies.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "tests/support/random.hpp"

namespace recon {
namespace {

std::vector<cfloat> random_readout(Index length) {
    const std::vector<cdouble> values = test::random_values(static_cast<std::size_t>(length), 3);
    return {values.begin(), values.end()};
}

TEST(HighFrequencies, AreThoseOfTheTransformOfTheWindowedReadout) {
    constexpr Index length = 48;  // a product of small primes: nothing is put behind it
    const HighFrequencies frequencies(length);
    const std::vector<cfloat> readout = random_readout(length);
    std::vector<double> squares(static_cast<std::size_t>(frequencies.count()));
    frequencies.find(readout, squares);
    std::vector<double> window;
    for (Index i = 0; i < length; ++i) {  // Hann's, its zeros half a sample outside
        window.push_back(std::pow(std::sin(pi * (static_cast<double>(i) + 0.5) / length), 2));
    }
    const double power = std::inner_product(window.begin(), window.end(), window.begin(), 0.0);
    for (Index n = 0; n < frequencies.count(); ++n) {
        const Index bin = 3 * length / 8 + n;
        cdouble sum = 0;
        for (Index i = 0; i < length; ++i) {
            sum += window[i] * cdouble(readout[i]) * std::polar(1.0, -2 * pi * static_cast<double>(bin * i) / length);
        }
        EXPECT_NEAR(squares[n], std::norm(sum) / power, 1e-12 * length) << bin;
    }
    EXPECT_EQ(frequencies.count(), length / 4 + 1);
}

TEST(HighFrequencies, OfWhiteNoiseHaveItsVarianceWhateverTheLength) {
    for (const Index length : {Index{97}, Index{1009}, Index{5003}}) {
        const HighFrequencies frequencies(length);
        EXPECT_LE(frequencies.count(), length / 3);
        double sum = 0, count = 0;
        for (unsigned seed = 1; seed <= 40; ++seed) {
            std::vector<cfloat> readout;
            for (const cdouble& value : test::random_values(static_cast<std::size_t>(length), seed)) {
                readout.emplace_back(value);
            }
            const double energy = std::accumulate(readout.begin(), readout.end(), 0.0, [](double so_far, cfloat value) {
                return so_far + std::norm(cdouble(value));
            });
            std::vector<double> squares(static_cast<std::size_t>(frequencies.count()));
            frequencies.find(readout, squares);
            sum += std::accumulate(squares.begin(), squares.end(), 0.0) * static_cast<double>(length) / energy;
            count += static_cast<double>(squares.size());
        }
        // Each is exponentially distributed; the window and zeros behind the readout leave a third of them independent.
        EXPECT_NEAR(sum / count, 1, 4 * std::sqrt(3 / count)) << length;
    }
}

}  // namespace
}  // namespace recon
