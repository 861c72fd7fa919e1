#include "core/mri/time_segments.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"

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

class TimeSegmentsTolerance : public ::testing::TestWithParam<double> {};

TEST_P(TimeSegmentsTolerance, ApproximatesEveryPhase) {
    const std::vector<float> times = readout_times(0.02F);
    const std::vector<float> hz = frequencies(-150, 200);
    const TimeSegments segments = TimeSegments::fit(FrequencyHistogram::of(hz), times, GetParam());
    double square = 0;
    for (const float& t : times) {
        for (const float f : hz) {
            cdouble sum = 0;
            for (Index l = 0; l < segments.count(); ++l) {
                sum +=
                    segments.interpolator[l][&t - times.data()] * std::polar(1.0, -2 * pi * f * segments.centre_s[l]);
            }
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
    const TimeSegments segments =
        TimeSegments::fit(FrequencyHistogram::of(std::vector<float>(10, 80.0F)), readout_times(0.02F), 1e-9);
    EXPECT_EQ(segments.count(), 1);
}

TEST(TimeSegmentsTest, RealPartOfTheInterpolatorServesDifferences) {
    const std::vector<float> times = readout_times(0.02F);
    const FrequencyHistogram differences = FrequencyHistogram::of(frequencies(-150, 200)).differences();
    const double tolerance = 1e-6;
    const TimeSegments segments = TimeSegments::fit(differences, times, tolerance);
    for (std::size_t m = 0; m < times.size(); ++m) {
        double square = 0;
        for (std::size_t k = 0; k < differences.weight.size(); ++k) {
            cdouble sum = 0;
            for (Index l = 0; l < segments.count(); ++l) {
                sum += segments.interpolator[l][m].real() *
                       std::polar(1.0, -2 * pi * differences.frequency_hz[k] * segments.centre_s[l]);
            }
            square += differences.weight[k] *
                      std::norm(sum - std::polar(1.0, -2 * pi * differences.frequency_hz[k] * times[m]));
        }
        EXPECT_LT(std::sqrt(square), 1.01 * tolerance);  // symmetric histogram: b and conj(b) fit equally well
    }
}

TEST(TimeSegmentsTest, ImpossibleRangeNamesItself) {
    EXPECT_THROW(TimeSegments::fit(FrequencyHistogram::of(frequencies(-1e6F, 1e6F)), readout_times(0.02F), 1e-6),
                 InputError);
}

}  // namespace
}  // namespace recon
