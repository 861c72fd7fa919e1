#include "data/pictures/line_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/error.hpp"
#include "data/pictures/stroke_font.hpp"

namespace recon {
namespace {

constexpr Index width = 480, height = 400;
constexpr Index left = 76, right = width - 16, top = 2 * text_line_height, bottom = height - 2 * text_line_height;
constexpr float line_grey = 0.9F, frame_grey = 0.5F, grid_grey = 0.22F, other_grey = 0.6F;

bool drawable(const std::pair<double, double>& point) {
    return point.first > 0 && point.second > 0 && std::isfinite(point.first) && std::isfinite(point.second);
}

/// Exponents of ten from `low` to `high` onto pixels from `from` to `to`.
struct Axis {
    double low = 0, high = 1, from = 0, to = 1;

    Axis(double least, double most, double first_pixel, double last_pixel) : from(first_pixel), to(last_pixel) {
        const double margin = std::max(0.05, 0.05 * (std::log10(most) - std::log10(least)));
        low = std::log10(least) - margin;
        high = std::log10(most) + margin;
    }
    double at(double value) const { return from + (std::log10(value) - low) / (high - low) * (to - from); }

    /// Where numbers stand: decades; where fewer than two are in sight, 1, 2 and 5; else tenths of what is there.
    std::vector<double> ticks() const {
        std::vector<double> values;
        const auto collect = [&](std::initializer_list<double> mantissas) {
            values.clear();
            for (double decade = std::floor(low); decade <= high; ++decade) {
                for (const double mantissa : mantissas) {
                    const double exponent = decade + std::log10(mantissa);
                    if (exponent >= low && exponent <= high) {
                        values.push_back(std::pow(10.0, exponent));
                    }
                }
            }
        };
        collect({1});
        if (values.size() < 2) {
            collect({1, 2, 5});
        }
        if (values.size() < 2) {
            values = {std::pow(10.0, 0.8 * low + 0.2 * high), std::pow(10.0, 0.2 * low + 0.8 * high)};
        }
        while (values.size() > 8) {
            std::vector<double> fewer;
            for (std::size_t i = 0; i < values.size(); i += 2) {
                fewer.push_back(values[i]);
            }
            values = fewer;
        }
        return values;
    }
};

void set(Picture& picture, double x, double y, float grey) {
    const auto column = static_cast<Index>(std::lround(x)), row = static_cast<Index>(std::lround(y));
    if (column >= 0 && column < picture.width && row >= 0 && row < picture.height) {
        picture.at(column, row) = std::max(picture.at(column, row), grey);
    }
}

void draw_line(Picture& picture, double x0, double y0, double x1, double y1, float grey) {
    const double steps = std::max(1.0, std::ceil(2 * std::max(std::abs(x1 - x0), std::abs(y1 - y0))));
    for (double i = 0; i <= steps; ++i) {
        set(picture, x0 + (x1 - x0) * i / steps, y0 + (y1 - y0) * i / steps, grey);
    }
}

void draw_dot(Picture& picture, double x, double y) {
    for (int dy = -2; dy <= 2; ++dy) {
        for (int dx = -2; dx <= 2; ++dx) {
            set(picture, x + dx, y + dy, line_grey);
        }
    }
}

std::string number(double value) {
    const double exponent = std::log10(value);
    return std::abs(exponent - std::round(exponent)) < 1e-6 ? fmt::format("1E{:.0f}", exponent)
                                                            : fmt::format("{:.2G}", value);
}

}  // namespace

Picture log_plot(const LogPlot& plot) {
    Picture picture(width, height);
    draw_text(picture, 0, 0, width, plot.title);
    draw_text(picture, 0, text_line_height, width / 2, plot.y_title);
    draw_text(picture, left, height - text_line_height, right - left, plot.x_title);
    std::vector<std::pair<double, double>> points;
    std::copy_if(plot.points.begin(), plot.points.end(), std::back_inserter(points), drawable);
    if (points.empty()) {
        draw_text(picture, left, (top + bottom) / 2, right - left, "nothing to draw");
        return picture;
    }
    std::vector<std::pair<double, double>> all = points;
    for (const auto& other : plot.others) {
        std::copy_if(other.begin(), other.end(), std::back_inserter(all), drawable);
    }
    const auto by_y = [](const auto& a, const auto& b) { return a.second < b.second; };
    const Axis x_axis(std::min_element(all.begin(), all.end())->first, std::max_element(all.begin(), all.end())->first,
                      left, right);
    const Axis y_axis(std::min_element(all.begin(), all.end(), by_y)->second,
                      std::max_element(all.begin(), all.end(), by_y)->second, bottom, top);
    for (const double tick : x_axis.ticks()) {
        draw_line(picture, x_axis.at(tick), top, x_axis.at(tick), bottom, grid_grey);
        draw_text(picture, static_cast<Index>(x_axis.at(tick)) - 24, bottom + 2, 48, number(tick));
    }
    for (const double tick : y_axis.ticks()) {
        draw_line(picture, left, y_axis.at(tick), right, y_axis.at(tick), grid_grey);
        draw_text(picture, 2, static_cast<Index>(y_axis.at(tick)) - text_line_height / 2, left - 6, number(tick));
    }
    for (const auto& [x0, y0, x1, y1] :
         {std::array<Index, 4>{left, top, left, bottom}, {left, bottom, right, bottom}}) {
        draw_line(picture, static_cast<double>(x0), static_cast<double>(y0), static_cast<double>(x1),
                  static_cast<double>(y1), frame_grey);
    }
    for (const auto& other : plot.others) {
        for (std::size_t i = 1; i < other.size(); ++i) {
            if (drawable(other[i - 1]) && drawable(other[i])) {
                draw_line(picture, x_axis.at(other[i - 1].first), y_axis.at(other[i - 1].second),
                          x_axis.at(other[i].first), y_axis.at(other[i].second), other_grey);
            }
        }
    }
    for (std::size_t i = 0; i < points.size(); ++i) {
        const double x = x_axis.at(points[i].first), y = y_axis.at(points[i].second);
        draw_dot(picture, x, y);
        if (i > 0) {
            draw_line(picture, x_axis.at(points[i - 1].first), y_axis.at(points[i - 1].second), x, y, line_grey);
        }
    }
    if (plot.marked && drawable(*plot.marked)) {
        const double x = x_axis.at(plot.marked->first), y = y_axis.at(plot.marked->second);
        draw_line(picture, x, y - 14, x, y + 14, 1);
        draw_line(picture, x - 14, y, x + 14, y, 1);
    }
    return picture;
}

Picture side_by_side(const std::vector<Picture>& pictures) {
    Picture all;
    for (const Picture& picture : pictures) {
        all.width += picture.width;
        all.height = picture.height;
    }
    all.grey.assign(all.width * all.height, 0.0F);
    Index first = 0;
    for (const Picture& picture : pictures) {
        if (picture.height != all.height) {
            throw ShapeError("pictures beside each other: heights differ");
        }
        for (Index row = 0; row < picture.height; ++row) {
            for (Index column = 0; column < picture.width; ++column) {
                all.at(first + column, row) = picture.at(column, row);
            }
        }
        first += picture.width;
    }
    return all;
}

}  // namespace recon
