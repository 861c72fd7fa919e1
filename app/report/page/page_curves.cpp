#include "app/report/page/page_curves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "app/report/largest_of_frames.hpp"
#include "app/report/page/page_text.hpp"
#include "data/pictures/svg_plot.hpp"

namespace recon {
namespace {

/// From the lines "NAME: iteration I of N, residual R" of the log: a curve for each name.
std::vector<svg::Line> logged_residuals(const RunRecord& record) {
    std::vector<svg::Line> curves;
    for (const LogLine& line : log_lines(record)) {
        const std::size_t colon = line.text.find(": iteration ");
        int iteration = 0, most = 0;
        double residual = 0;
        if (colon == std::string::npos || std::sscanf(line.text.c_str() + colon, ": iteration %d of %d, residual %lf",
                                                      &iteration, &most, &residual) != 3) {
            continue;
        }
        const std::string name = line.text.substr(0, colon);
        if (curves.empty() || curves.back().label != name || iteration == 1) {
            curves.push_back({name, {}});
        }
        curves.back().points.emplace_back(iteration, residual);
    }
    return curves;
}

std::vector<double> numbers(const RunRecord& record, const std::string& name) {
    std::vector<double> values;
    for (const auto& value : record.value(name, RunRecord::array())) {
        if (value.is_number()) {
            values.push_back(value.get<double>());
        }
    }
    return values;
}

/// Of a series the largest, and of which frame that is; empty where there is none.
std::string text_of_frames(const RunRecord& record, const char* name) {
    const LargestOfFrames largest(record, name);
    return largest.value > 0 ? fmt::format("{:.4g}{}", largest.value, largest.of_frame()) : "";
}

/// Points of two lists, as many as the shorter one has.
svg::Line line_through(const char* label, const std::vector<double>& x, const std::vector<double>& y) {
    svg::Line line{label, {}};
    for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i) {
        line.points.emplace_back(x[i], y[i]);
    }
    return line;
}

/// Of the default image: what its error was thought to be after each solution on the way.
std::string predicted_error_plot(const RunRecord& record) {
    const RunRecord course = record.value("predicted_error_course", RunRecord::object());
    const svg::Line line =
        line_through("predicted error", numbers(course, "iterations"), numbers(course, "predicted_error"));
    return line.points.empty()
               ? ""
               : svg::log_plot("Predicted error of the image over all iterations, a point after each solution",
                               "iteration", "part of the image", svg::Scale::linear, {line});
}

}  // namespace

std::string convergence_section(const RunRecord& record) {
    std::vector<svg::Line> curves = logged_residuals(record);
    if (curves.empty()) {  // a quiet run
        svg::Line line{"residual", {}};
        for (const double residual : numbers(record, "residuals")) {
            line.points.emplace_back(static_cast<double>(line.points.size() + 1), residual);
        }
        curves.push_back(std::move(line));
    }
    constexpr std::size_t most = 8;  // of a series: the last ones
    if (curves.size() > most) {
        curves.erase(curves.begin(), curves.end() - static_cast<std::ptrdiff_t>(most));
    }
    return section(
        "Convergence",
        svg::log_plot("Relative residual over the iterations", "iteration", "residual", svg::Scale::linear, curves) +
            predicted_error_plot(record) +
            table({{"stopped by", value_text(record, "stopped_by")},
                   {"iterations in all", value_text(record, "iterations_in_all")},
                   {"residual of the data", text_of_frames(record, "data_residual")},
                   {"predicted error of the image", text_of_frames(record, "predicted_error")}}));
}

std::string spectrum_section(const RunRecord& record) {
    const RunRecord spectrum = record.value("spectrum", RunRecord::object());
    const svg::Line line =
        line_through("power of the image", numbers(spectrum, "k_per_mm"), numbers(spectrum, "power"));
    const std::string plot = svg::log_plot("Spectrum of the image that the scan tells", "k, cycles/mm", "power",
                                           svg::Scale::logarithmic, {line});
    return section(
        "Spectrum and noise",
        plot + table({{"exponent of the spectrum", value_text(spectrum, "exponent")},
                      {"noise of a sample", value_text(record, "noise_sigma")},
                      {"noise told by", value_text(record, "noise_source")},
                      {"neither image nor noise, as part of the signal", value_text(record, "model_error")},
                      {"effective resolution, mm", value_text(record, "effective_resolution_mm")},
                      {"effective resolution at edges, mm", value_text(record, "effective_resolution_edges_mm")}}));
}

std::string timing_section(const RunRecord& record) {
    const RunRecord seconds = record.value("seconds", RunRecord::object());
    const RunRecord memory = record.value("stage_memory_bytes", RunRecord::object());
    const double total = seconds.value("total", 0.0);
    std::vector<std::pair<std::string, double>> stages;
    for (const auto& [name, value] : seconds.items()) {
        if (name != "total" && value.is_number() && value.get<double>() > 0) {
            stages.emplace_back(name, value.get<double>());
        }
    }
    std::sort(stages.begin(), stages.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
    std::string rows;
    for (const auto& [name, value] : stages) {
        const double share = total > 0 ? 100 * value / total : 0;
        rows += fmt::format(
            "<tr><th>{}</th><td>{:.3g} s</td><td class='bar'><i style='width:{:.1f}%'></i></td><td>{}</td></tr>\n",
            svg::escaped(name), value, std::clamp(share, 0.3, 100.0),
            memory.contains(name) ? fmt::format("{:.1f} MB", 1e-6 * memory.value(name, 0.0)) : "");
    }
    return section("Time and memory", rows.empty()
                                          ? ""
                                          : fmt::format("<table class='timing'>\n<tr><th>all</th><td>{:.3g} "
                                                        "s</td><td></td><td>{:.1f} MB</td></tr>\n{}</table>\n",
                                                        total, 1e-6 * record.value("memory_peak_bytes", 0.0), rows));
}

}  // namespace recon
