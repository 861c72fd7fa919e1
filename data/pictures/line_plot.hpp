#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "data/pictures/png_writer.hpp"

namespace recon {

/// A curve over logarithmic axes, to be drawn as a grey picture.
struct LogPlot {
    std::string title;
    std::string x_title;
    std::string y_title;
    std::vector<std::pair<double, double>> points;    ///< positive, in the order in which a line joins them
    std::optional<std::pair<double, double>> marked;  ///< a point with a cross through it
    std::vector<std::vector<std::pair<double, double>>> others = {};  ///< curves to compare with: darker, without dots
};

/// Points that are not positive or not finite are left out; decades are numbered.
/// @return 480 x 400 pixels, light lines on black
Picture log_plot(const LogPlot& plot);

/// Pictures of equal height beside each other.
Picture side_by_side(const std::vector<Picture>& pictures);

}  // namespace recon
