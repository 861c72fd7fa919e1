#include "app/reconstruction/scan_prior/response_moments.hpp"

#include <gtest/gtest.h>

namespace recon {
namespace {

/// Two frequencies of an axis of three, of which the second stands for two points.
ScanTerm term_of_three_points() {
    ScanTerm term;
    term.grid = EvenGrid({3, 1, 1});
    term.spectrum = std::make_shared<const std::vector<double>>(std::vector<double>{1, 4});
    term.deviation = 2;
    return term;
}

TEST(ResponseMoments, WeighVariancesByResponses) {
    ScanTerm term = term_of_three_points();
    term.deviations = {1, 3};
    const ResponseMoments found = response_moments({1, 12, 4}, term);  // H = 1/2, 3/4, 1/2
    EXPECT_DOUBLE_EQ(found.peak, 0.75) << "the centre has less than the mean";
    EXPECT_DOUBLE_EQ(found.mean, 1.75 / 3);
    EXPECT_DOUBLE_EQ(found.variance, (0.5 + 9 * 1.25) / 1.75);
    EXPECT_DOUBLE_EQ(found.deciding_variance, (0.25 + 9 * (0.1875 + 0.25)) / 0.6875);
}

TEST(ResponseMoments, PeakAtTheCentreWhereItIsSampled) {
    EXPECT_DOUBLE_EQ(response_moments({3, 4, 4}, term_of_three_points()).peak, 0.75);
    EXPECT_DOUBLE_EQ(response_moments({0, 12, 4}, term_of_three_points()).peak, 0.75) << "a scan without its centre";
}

TEST(ResponseMoments, AreThoseOfWhiteNoiseAlone) {
    const ResponseMoments found = response_moments({1, 12, 4}, term_of_three_points());
    EXPECT_DOUBLE_EQ(found.variance, 4);
    EXPECT_DOUBLE_EQ(found.deciding_variance, 4);
    EXPECT_EQ(response_moments({0, 0, 0}, term_of_three_points()).deciding_variance, 0);
}

}  // namespace
}  // namespace recon
