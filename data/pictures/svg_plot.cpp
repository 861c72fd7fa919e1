#include "data/pictures/svg_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace recon::svg {
namespace {

// Greys and colours of middle lightness: readable on white and on black.
constexpr const char* ink = "#808080";
constexpr double faint = 0.25;  // opacity
constexpr const char* colours[] = {"#3a87c8", "#d9733a", "#4aa564", "#a66bbe"};
constexpr double title_height = 26;

std::string text(double x, double y, const std::string& anchor, const std::string& content, int size = 12) {
    return fmt::format("<text x='{:.1f}' y='{:.1f}' text-anchor='{}' font-size='{}' fill='{}'>{}</text>\n", x, y,
                       anchor, size, ink, escaped(content));
}

std::string rectangle(double x, double y, double width, double height, double opacity = 1) {
    return fmt::format("<rect x='{:.1f}' y='{:.1f}' width='{:.1f}' height='{:.1f}' fill='{}' fill-opacity='{:.2f}'/>\n",
                       x, y, width, height, colours[0], opacity);
}

std::string line(double x1, double y1, double x2, double y2, const char* stroke, double opacity = 1) {
    return fmt::format("<line x1='{:.1f}' y1='{:.1f}' x2='{:.1f}' y2='{:.1f}' stroke='{}' stroke-opacity='{:.2f}'/>\n",
                       x1, y1, x2, y2, stroke, opacity);
}

std::string circle(double x, double y, const char* fill) {
    return fmt::format("<circle cx='{:.1f}' cy='{:.1f}' r='4' fill='{}'/>\n", x, y, fill);
}

std::string drawing(double width, double height, const std::string& title, const std::string& content) {
    return fmt::format(
        "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {0:.0f} {1:.0f}' width='{0:.0f}' height='{1:.0f}' "
        "font-family='sans-serif' role='img' aria-label='{2}'>\n{3}{4}</svg>\n",
        width, height, escaped(title), text(8, 17, "start", title, 14), content);
}

/// Maps whole decades around the values to pixels.
struct LogAxis {
    double low, high;  ///< exponents of ten
    double from, to;   ///< pixels

    template <class Values>
    LogAxis(const Values& values, double first_pixel, double last_pixel) : from(first_pixel), to(last_pixel) {
        const auto [least, most] = std::minmax_element(values.begin(), values.end());
        low = std::floor(std::log10(*least));
        high = std::max(low + 1, std::ceil(std::log10(*most)));
    }
    double at(double value) const { return from + (std::log10(value) - low) / (high - low) * (to - from); }
    /// Every decade, fewer where there are many.
    std::vector<int> ticks() const {
        std::vector<int> exponents;
        const int step = high - low > 10 ? 2 : 1;
        for (int e = static_cast<int>(low); e <= static_cast<int>(high); e += step) {
            exponents.push_back(e);
        }
        return exponents;
    }
};

}  // namespace

std::string escaped(const std::string& raw) {
    std::string safe;
    for (const char c : raw) {
        safe += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : c == '\'' ? "&#39;" : std::string(1, c);
    }
    return safe;
}

std::string bar_plot(const std::string& title, const std::vector<Bar>& bars) {
    if (bars.empty()) {
        return {};
    }
    constexpr double left = 170, right = 640, row = 20, width = 840;
    std::vector<double> values;
    for (const Bar& bar : bars) {
        values.push_back(bar.value);
    }
    const LogAxis axis(values, left, right);
    const double bottom = title_height + 8 + row * static_cast<double>(bars.size());
    std::string content;
    for (const int e : axis.ticks()) {
        const double x = axis.at(std::pow(10.0, e));
        content +=
            line(x, title_height, x, bottom, ink, faint) + text(x, bottom + 16, "middle", fmt::format("1e{}", e), 11);
    }
    double y = title_height + 4;
    for (const Bar& bar : bars) {
        content += text(left - 8, y + 14, "end", bar.label) +
                   rectangle(left, y + 3, std::max(1.0, axis.at(bar.value) - left), row - 6) +
                   text(axis.at(bar.value) + 6, y + 14, "start", bar.note, 11);
        y += row;
    }
    return drawing(width, bottom + 26, title, content);
}

std::string dot_plot(const std::string& title, const std::string& x_title, const std::string& y_title,
                     const std::vector<Dot>& dots) {
    if (dots.empty()) {
        return {};
    }
    constexpr double width = 840, height = 460, left = 70, right = 700, top = 46, bottom = 410;
    std::vector<double> xs, ys;
    for (const Dot& dot : dots) {
        xs.push_back(dot.x);
        ys.push_back(dot.y);
    }
    const LogAxis x_axis(xs, left, right), y_axis(ys, bottom, top);
    std::string content = text((left + right) / 2, height - 12, "middle", x_title) + text(8, 38, "start", y_title);
    for (const int e : x_axis.ticks()) {
        const double x = x_axis.at(std::pow(10.0, e));
        content += line(x, top, x, bottom, ink, faint) + text(x, bottom + 16, "middle", fmt::format("1e{}", e), 11);
    }
    for (const int e : y_axis.ticks()) {
        const double y = y_axis.at(std::pow(10.0, e));
        content += line(left, y, right, y, ink, faint) + text(left - 6, y + 4, "end", fmt::format("1e{}", e), 11);
    }
    std::vector<std::pair<double, double>> labels;  // placed so far: a number that would cover one moves down
    for (std::size_t i = 0; i < dots.size(); ++i) {
        const double x = x_axis.at(dots[i].x), y = y_axis.at(dots[i].y);
        double label_y = y + 4;
        while (std::any_of(labels.begin(), labels.end(), [&](const auto& other) {
            return std::abs(other.first - x) < 16 && std::abs(other.second - label_y) < 11;
        })) {
            label_y += 3;
        }
        labels.emplace_back(x, label_y);
        const std::string number = std::to_string(i + 1);
        content += circle(x, y, colours[0]) + text(x + 7, label_y, "start", number, 11) +
                   text(right + 20, top + 14 * static_cast<double>(i), "start", number + "  " + dots[i].label, 11);
    }
    return drawing(width, height, title, content);
}

std::string heat_plot(const std::string& title, const std::vector<HeatMap>& maps, double best) {
    if (maps.empty()) {
        return {};
    }
    constexpr double cell_width = 44, cell_height = 24, left = 52, top = title_height + 40;
    const auto columns = static_cast<double>(maps.front().columns.size());
    const auto rows = static_cast<double>(maps.front().rows.size());
    const double map_width = left + cell_width * columns + 20;
    std::string content;
    for (std::size_t m = 0; m < maps.size(); ++m) {
        const HeatMap& map = maps[m];
        const double x0 = static_cast<double>(m) * map_width + left;
        content += text(x0, top - 22, "start", map.title);
        for (std::size_t c = 0; c < map.columns.size(); ++c) {
            content += text(x0 + (static_cast<double>(c) + 0.5) * cell_width, top - 6, "middle", map.columns[c], 11);
        }
        for (std::size_t r = 0; r < map.rows.size(); ++r) {
            const double y = top + static_cast<double>(r) * cell_height;
            content += text(x0 - 6, y + 16, "end", map.rows[r], 11);
            for (std::size_t c = 0; c < map.columns.size(); ++c) {
                const double share = best / map.values[r * map.columns.size() + c];
                // From 5 % at half the best speed or less to what still leaves the number readable.
                const double opacity = 0.05 + 0.5 * std::clamp(2 * share - 1, 0.0, 1.0);
                const double x = x0 + static_cast<double>(c) * cell_width;
                content += rectangle(x, y, cell_width - 2, cell_height - 2, opacity) +
                           text(x + cell_width / 2 - 1, y + 15, "middle", fmt::format("{:.0f}", 100 * share), 11);
            }
        }
    }
    return drawing(map_width * static_cast<double>(maps.size()), top + cell_height * rows + 8, title, content);
}

std::string line_plot(const std::string& title, const std::string& x_title, const std::string& y_title,
                      const std::vector<Line>& lines) {
    double largest_x = 1, largest_y = 1;
    for (const Line& one : lines) {
        for (const auto& [x, y] : one.points) {
            largest_x = std::max(largest_x, x);
            largest_y = std::max(largest_y, y);
        }
    }
    constexpr double width = 560, height = 360, left = 50, right = 380, top = 46, bottom = 310;
    const auto at = [&](double x, double y) {
        return std::pair(left + x / largest_x * (right - left), bottom - y / largest_y * (bottom - top));
    };
    std::string content = text((left + right) / 2, height - 12, "middle", x_title) + text(8, 38, "start", y_title) +
                          line(left, bottom, right, bottom, ink) + line(left, bottom, left, top, ink) +
                          text(left - 6, top + 4, "end", fmt::format("{:.3g}", largest_y), 11);
    for (double x = 1; x <= largest_x; x *= 2) {
        content += text(at(x, 0).first, bottom + 16, "middle", fmt::format("{:g}", x), 11);
    }
    for (std::size_t l = 0; l < lines.size(); ++l) {
        const char* colour = colours[l % std::size(colours)];
        for (std::size_t i = 0; i < lines[l].points.size(); ++i) {
            const auto [x, y] = at(lines[l].points[i].first, lines[l].points[i].second);
            content += circle(x, y, colour);
            if (i > 0) {
                const auto [x0, y0] = at(lines[l].points[i - 1].first, lines[l].points[i - 1].second);
                content += line(x0, y0, x, y, colour);
            }
        }
        const double y = top + 18 * static_cast<double>(l);
        content += circle(right + 20, y - 4, colour) + text(right + 30, y, "start", lines[l].label);
    }
    return drawing(width, height, title, content);
}

std::string log_plot(const std::string& title, const std::string& x_title, const std::string& y_title, Scale x_scale,
                     const std::vector<Line>& all) {
    std::vector<Line> lines;
    std::vector<double> xs, ys;
    for (const Line& line : all) {
        Line& kept = lines.emplace_back(Line{line.label, {}});
        for (const auto& [x, y] : line.points) {
            if (x > 0 && y > 0 && std::isfinite(x) && std::isfinite(y)) {
                kept.points.emplace_back(x, y);
                xs.push_back(x);
                ys.push_back(y);
            }
        }
    }
    if (xs.empty()) {
        return {};
    }
    constexpr double width = 760, height = 340, left = 70, right = 540, top = 46, bottom = 290;
    const LogAxis log_x(xs, left, right), y_axis(ys, bottom, top);
    const double most = *std::max_element(xs.begin(), xs.end());
    const bool is_log = x_scale == Scale::logarithmic;
    const auto x_of = [&](double x) { return is_log ? log_x.at(x) : left + x / most * (right - left); };
    std::string content = text((left + right) / 2, height - 10, "middle", x_title) + text(8, 38, "start", y_title);
    for (const int e : y_axis.ticks()) {
        const double y = y_axis.at(std::pow(10.0, e));
        content += line(left, y, right, y, ink, faint) + text(left - 6, y + 4, "end", fmt::format("1e{}", e), 11);
    }
    if (is_log) {
        for (const int e : log_x.ticks()) {
            const double x = log_x.at(std::pow(10.0, e));
            content += line(x, top, x, bottom, ink, faint) + text(x, bottom + 16, "middle", fmt::format("1e{}", e), 11);
        }
    } else {
        const double step = std::max(1.0, std::ceil(most / 8));
        for (double x = step; x <= most; x += step) {
            content += text(x_of(x), bottom + 16, "middle", fmt::format("{:g}", x), 11);
        }
    }
    for (std::size_t l = 0; l < lines.size(); ++l) {
        const char* colour = colours[l % std::size(colours)];
        std::string path;
        for (const auto& [x, y] : lines[l].points) {
            path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", x_of(x), y_axis.at(y));
        }
        content += fmt::format("<path d='{}' fill='none' stroke='{}' stroke-width='2'/>\n", path, colour);
        const double y = top + 18 * static_cast<double>(l);
        content += circle(right + 24, y - 4, colour) + text(right + 34, y, "start", lines[l].label);
    }
    return drawing(width, height, title, content);
}

}  // namespace recon::svg
