#include "data/pictures/line_plot.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "core/base/error.hpp"

namespace recon {
namespace {

double mean(const Picture& picture) {
    double sum = 0;
    for (const float grey : picture.grey) {
        sum += grey;
    }
    return sum / static_cast<double>(picture.grey.size());
}

TEST(LinePlot, DrawsTheCurveAndTheMark) {
    LogPlot plot{.title = "title", .x_title = "x", .y_title = "y", .points = {}, .marked = {}};
    for (int i = -6; i <= 2; ++i) {
        plot.points.emplace_back(std::pow(10.0, i), std::pow(10.0, -i));
    }
    const Picture without = log_plot(plot);
    EXPECT_EQ(without.width, 480);
    EXPECT_EQ(without.height, 400);
    EXPECT_GT(mean(without), 0.005);
    plot.marked = {1e-2, 1e2};
    const Picture with = log_plot(plot);
    EXPECT_GT(mean(with), mean(without));
    // white is the mark, whose centre lies on the line of slope -1
    Index left = 480, right = 0, top = 400, bottom = 0;
    for (Index y = 48; y < 352; ++y) {
        for (Index x = 80; x < 464; ++x) {
            if (with.at(x, y) == 1.0F && without.at(x, y) < 1.0F) {
                left = std::min(left, x);
                right = std::max(right, x);
                top = std::min(top, y);
                bottom = std::max(bottom, y);
            }
        }
    }
    EXPECT_EQ(right - left, 28);
    EXPECT_EQ(bottom - top, 28);
}

TEST(LinePlot, SurvivesWhatCannotBeDrawn) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    LogPlot plot{
        .title = "t", .x_title = "x", .y_title = "y", .points = {{-1, 1}, {1, 0}, {nan, 1}}, .marked = {{0, 0}}};
    EXPECT_EQ(log_plot(plot).width, 480);
    plot.points = {{2, 3}};
    EXPECT_EQ(log_plot(plot).width, 480);
    plot.points = {{2, 3}, {2, 3}};
    EXPECT_EQ(log_plot(plot).width, 480);
}

TEST(LinePlot, PicturesStandSideBySide) {
    const Picture all = side_by_side({Picture(3, 2, 0.25F), Picture(2, 2, 0.5F)});
    EXPECT_EQ(all.width, 5);
    EXPECT_EQ(all.at(2, 1), 0.25F);
    EXPECT_EQ(all.at(3, 0), 0.5F);
    EXPECT_THROW(side_by_side({Picture(3, 2), Picture(2, 3)}), ShapeError);
}

}  // namespace
}  // namespace recon
