#pragma once

#include <string>
#include <utility>
#include <vector>

namespace recon::svg {

// Plots as text: each a complete SVG element, readable on light and dark ground, without scripts or anything to load.

struct Bar {
    std::string label;
    double value;      ///< positive
    std::string note;  ///< behind the bar
};
/// Horizontal bars on a logarithmic axis.
std::string bar_plot(const std::string& title, const std::vector<Bar>& bars);

struct Dot {
    std::string label;
    double x, y;  ///< positive
};
/// Numbered dots with a list of their labels, both axes logarithmic.
std::string dot_plot(const std::string& title, const std::string& x_title, const std::string& y_title,
                     const std::vector<Dot>& dots);

struct HeatMap {
    std::string title;
    std::vector<std::string> columns;
    std::vector<std::string> rows;
    std::vector<double> values;  ///< [column row], columns fastest; shown relative to `best`
};
/// Maps side by side on one scale; the darkest cell is the best, numbers are `best` over the value in percent.
std::string heat_plot(const std::string& title, const std::vector<HeatMap>& maps, double best);

struct Line {
    std::string label;
    std::vector<std::pair<double, double>> points;
};
/// Lines with dots, both axes linear from zero.
std::string line_plot(const std::string& title, const std::string& x_title, const std::string& y_title,
                      const std::vector<Line>& lines);

enum class Scale { linear, logarithmic };
/// Lines over a linear or logarithmic x, y logarithmic; points that are not positive are left out. Empty without
/// points.
std::string log_plot(const std::string& title, const std::string& x_title, const std::string& y_title, Scale x_scale,
                     const std::vector<Line>& lines);

/// For text between tags.
std::string escaped(const std::string& text);

}  // namespace recon::svg
