#include "core/fourier/time_segments.hpp"

#include <gtest/gtest.h>

#include "core/base/error.hpp"

namespace recon {
namespace {

std::vector<float> readout_times(float last_s) {
    std::vector<float> times;
    for (int m = 0; m <= 100; ++m) {
        times.push_back(0.004F + last_s * static_cast<float>(m) / 100);
    }
    return times;
}

std::vector<float> frequencies(float low, float high) {
    std::vector<float> hz;
    for (int n = 0; n < 1000; ++n) {
        hz.push_back(low + (high - low) * static_cast<float>((n * 37) % 1000) / 999);
    }
    return hz;
}

std::vector<float> relaxation_rates(float high) {
    std::vector<float> rates;
    for (int n = 0; n < 1000; ++n) {
        rates.push_back(high * static_cast<float>((n * 61) % 1000) / 999);
    }
    return rates;
}

cdouble segment_sum(const TimeSegments& segments, cdouble rate, std::size_t sample) {
    cdouble sum = 0;
    for (Index l = 0; l < segments.count(); ++l) {
        sum += segments.interpolator[l][sample] * std::exp(-rate * segments.centre_s[l]);
    }
    return sum;
}

class TimeSegmentsTolerance : public ::testing::TestWithParam<double> {};

TEST_P(TimeSegmentsTolerance, ApproximatesEveryPhase) {
    const std::vector<float> times = readout_times(0.02F);
    const std::vector<float> hz = frequencies(-150, 200);
    const TimeSegments segments = TimeSegments::fit(RateHistogram::of({hz, {}}), times, GetParam());
    double square = 0;
    for (const float& t : times) {
        for (const float f : hz) {
            const cdouble sum = segment_sum(segments, cdouble(0, 2 * pi * f), &t - times.data());
            square += std::norm(sum - std::polar(1.0, -2 * pi * f * t));
        }
    }
    // The root mean square over all frequencies and times; frequencies lie between the histogram's bins: factor 2.
    EXPECT_LT(std::sqrt(square / static_cast<double>(times.size() * hz.size())), 2 * GetParam());
    EXPECT_LE(segments.error, GetParam());
    EXPECT_LE(segments.count(), 7 + 20);  // time-bandwidth product 7, plus a margin for the tolerance
}

INSTANTIATE_TEST_SUITE_P(Tolerances, TimeSegmentsTolerance, ::testing::Values(1e-2, 1e-4, 1e-6, 1e-9));

TEST(TimeSegmentsTest, OneFrequencyNeedsOneSegment) {
    const std::vector<float> same(10, 80.0F);
    const TimeSegments segments = TimeSegments::fit(RateHistogram::of({same, {}}), readout_times(0.02F), 1e-9);
    EXPECT_EQ(segments.count(), 1);
}

TEST(TimeSegmentsTest, RealPartOfTheInterpolatorServesDifferences) {
    const std::vector<float> times = readout_times(0.02F);
    const std::vector<float> hz = frequencies(-150, 200);
    const std::vector<float> decays = relaxation_rates(90);
    for (const OffResonanceMaps& maps : {OffResonanceMaps{hz, {}}, OffResonanceMaps{hz, decays}}) {
        const RateHistogram pairs = RateHistogram::of_pairs(maps);
        const double tolerance = 1e-6;
        const TimeSegments segments = TimeSegments::fit(pairs, times, tolerance);
        for (std::size_t m = 0; m < times.size(); ++m) {
            double square = 0;
            for (std::size_t k = 0; k < pairs.weight.size(); ++k) {
                const cdouble rate = pairs.rate_per_s[k];
                cdouble sum = 0;
                for (Index l = 0; l < segments.count(); ++l) {
                    sum += segments.interpolator[l][m].real() * std::exp(-rate * segments.centre_s[l]);
                }
                square += pairs.weight[k] * std::norm(sum - std::exp(-rate * double{times[m]}));
            }
            // The fit gives the histogram half of the weight: its own rms is at most sqrt(2) times what was asked for.
            EXPECT_LT(std::sqrt(square), 1.5 * tolerance);
        }
    }
}

TEST(TimeSegmentsTest, RareRatesAreMetAsWell) {
    const std::vector<float> times = readout_times(0.03F);
    std::vector<float> hz(100000, 10.0F);
    for (std::size_t n = 0; n < 50; ++n) {
        hz[n] = 250 - 10 * static_cast<float>(n);
    }
    const TimeSegments segments = TimeSegments::fit(RateHistogram::of({hz, {}}), times, 1e-6);
    double worst = 0;
    for (std::size_t m = 0; m < times.size(); ++m) {
        for (std::size_t n = 0; n < 51; ++n) {
            worst = std::max(worst, std::abs(segment_sum(segments, cdouble(0, 2 * pi * hz[n]), m) -
                                             std::exp(-cdouble(0, 2 * pi * hz[n]) * double{times[m]})));
        }
    }
    // 51 rates share half of the weight: one of them may have all of the error, sqrt(2 * 51) times the rms.
    EXPECT_LT(worst, std::sqrt(102) * 1e-6);
}

TEST(TimeSegmentsTest, InterpolatorsDoNotCancelEachOther) {
    const std::vector<float> hz = frequencies(-250, 250);
    // What single precision loses: rounding times the sum of |b|. Evenly spaced segments would have 47,000.
    const TimeSegments segments = TimeSegments::fit(RateHistogram::of({hz, {}}), readout_times(0.03F), 1e-6);
    double largest = 0;
    for (std::size_t m = 0; m < segments.interpolator[0].size(); ++m) {
        double sum = 0;
        for (Index l = 0; l < segments.count(); ++l) {
            sum += std::abs(segments.interpolator[l][m]);
        }
        largest = std::max(largest, sum);
    }
    EXPECT_LT(largest, 15);
    EXPECT_LE(segments.count(), 15 + 13);  // the singular values of the exponentials allow 27
}

TEST(TimeSegmentsTest, FewTimesGetASegmentEach) {
    std::vector<float> times;
    for (int m = 0; m < 60; ++m) {
        times.push_back(0.005F * static_cast<float>(m % 6) + 0.0003F * static_cast<float>(m % 2));
    }
    const std::vector<float> hz = frequencies(-250, 250);
    const TimeSegments segments = TimeSegments::fit(RateHistogram::of_pairs({hz, {}}), times, 1e-6);
    EXPECT_EQ(segments.count(), 6);
    for (std::size_t m = 0; m < times.size(); ++m) {
        const cdouble rate(3, 2 * pi * 123);
        EXPECT_LT(std::abs(segment_sum(segments, rate, m) - std::exp(-rate * double{times[m]})), 1e-12);
    }
}

TEST(TimeSegmentsTest, DecaysAreApproximatedToo) {
    const std::vector<float> times = readout_times(0.02F);
    const std::vector<float> hz = frequencies(-150, 200);
    const std::vector<float> decays = relaxation_rates(150);
    const OffResonanceMaps maps{hz, decays};
    for (const double tolerance : {1e-3, 1e-6, 1e-9}) {
        const TimeSegments segments = TimeSegments::fit(RateHistogram::of(maps), times, tolerance);
        double error = 0;
        double signal = 0;
        for (std::size_t m = 0; m < times.size(); ++m) {
            for (std::size_t n = 0; n < hz.size(); ++n) {
                const cdouble exact = std::exp(-maps.rate_per_s(static_cast<Index>(n)) * double{times[m]});
                error += std::norm(segment_sum(segments, maps.rate_per_s(static_cast<Index>(n)), m) - exact);
                signal += std::norm(exact);
            }
        }
        EXPECT_LT(std::sqrt(error / signal), 2 * tolerance);  // rates lie between the bins
        EXPECT_LE(segments.count(), 7 + 24);
    }
}

TEST(TimeSegmentsTest, DecayAloneNeedsFewSegments) {
    const std::vector<float> decays = relaxation_rates(100);
    const TimeSegments segments = TimeSegments::fit(RateHistogram::of({{}, decays}), readout_times(0.02F), 1e-6);
    EXPECT_LE(segments.count(), 8);
    EXPECT_LE(segments.error, 1e-6);
}

TEST(TimeSegmentsTest, HistogramOfPairsIsThatOfTheSums) {
    const std::vector<float> hz{10, 10, 30};
    const std::vector<float> decays{1, 3, 1};
    const RateHistogram pairs = RateHistogram::of_pairs({hz, decays});
    double mean_decay = 0;
    cdouble mean_square = 0;
    double total = 0;
    for (std::size_t k = 0; k < pairs.weight.size(); ++k) {
        total += pairs.weight[k];
        mean_decay += pairs.weight[k] * pairs.rate_per_s[k].real();
        mean_square += pairs.weight[k] * pairs.rate_per_s[k].imag() * pairs.rate_per_s[k].imag();
    }
    EXPECT_NEAR(total, 1, 1e-12);
    EXPECT_NEAR(mean_decay, 2 * (1 + 3 + 1) / 3.0, 1e-12);
    EXPECT_NEAR(mean_square.real(), 4.0 / 9 * std::pow(2 * pi * 20, 2), 1e-6);  // 4 of the 9 pairs differ by 20 Hz
}

TEST(TimeSegmentsTest, ImpossibleRangeNamesItself) {
    const std::vector<float> hz = frequencies(-1e6F, 1e6F);
    EXPECT_THROW(TimeSegments::fit(RateHistogram::of({hz, {}}), readout_times(0.02F), 1e-6), InputError);
}

}  // namespace
}  // namespace recon
