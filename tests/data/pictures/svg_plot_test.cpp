#include "data/pictures/svg_plot.hpp"

#include <gtest/gtest.h>

#include "core/base/types.hpp"

namespace recon::svg {
namespace {

Index count_of(const std::string& part, const std::string& text) {
    Index count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
        ++count;
    }
    return count;
}

TEST(SvgPlot, ShowsEveryBarAndSparesTheMarkup) {
    const std::string plot = bar_plot("a < b", {{"first", 1e3, "note"}, {"a & b", 1e6, ""}});
    EXPECT_EQ(count_of("<rect", plot), 2);
    EXPECT_NE(plot.find("a &lt; b"), std::string::npos);
    EXPECT_NE(plot.find("a &amp; b"), std::string::npos);
    EXPECT_NE(plot.find("1e3"), std::string::npos) << "the axis begins at the smallest decade";
    EXPECT_EQ(bar_plot("nothing", {}), "");
}

TEST(SvgPlot, NumbersDotsAndListsThem) {
    const std::string plot = dot_plot("t", "x", "y", {{"one", 1, 1e-6}, {"two", 1, 1e-6}});
    EXPECT_EQ(count_of("<circle", plot), 2);
    EXPECT_NE(plot.find("1  one"), std::string::npos);
    EXPECT_NE(plot.find("2  two"), std::string::npos);
}

TEST(SvgPlot, HeatMapsAreRelativeToTheBest) {
    const std::string plot = heat_plot("t", {{"map", {"c"}, {"r", "s"}, {2.0, 4.0}}}, 2.0);
    EXPECT_NE(plot.find(">100<"), std::string::npos);
    EXPECT_NE(plot.find(">50<"), std::string::npos);
}

TEST(SvgPlot, LinesJoinTheirPoints) {
    const std::string plot = line_plot("t", "x", "y", {{"one", {{1, 1}, {2, 1.9}, {4, 3.8}}}});
    EXPECT_EQ(count_of("<line", plot), 2 + 2) << "two axes, two joints";
    EXPECT_EQ(count_of("<circle", plot), 3 + 1) << "three points, one in the list";
}

TEST(SvgPlot, LogarithmicAxesLeaveOutWhatTheyCannotShow) {
    const std::string plot =
        log_plot("t", "x", "y", Scale::logarithmic, {{"one", {{1, 1e-3}, {0, 1}, {10, 0}, {10, 1e-5}}}});
    EXPECT_EQ(count_of("<path", plot), 1);
    EXPECT_EQ(count_of("L", plot), 1) << "two of the four points";
    EXPECT_EQ(count_of("1e-5", plot), 1);
    EXPECT_EQ(log_plot("t", "x", "y", Scale::linear, {{"none", {{1, -1}}}}), "");
}

}  // namespace
}  // namespace recon::svg
