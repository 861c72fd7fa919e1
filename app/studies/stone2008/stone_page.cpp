#include <fmt/format.h>

#include <cmath>

#include "app/report/page/page_pictures.hpp"
#include "app/studies/ladder/html_page.hpp"
#include "app/studies/stone2008/stone_published.hpp"
#include "app/studies/stone2008/stone_report.hpp"
#include "data/pictures/display_window.hpp"
#include "data/pictures/svg_plot.hpp"

namespace recon::stone {
namespace {

using svg::escaped;

std::string pre(const std::string& text) { return fmt::format("<pre>{}</pre>\n", escaped(text)); }

std::string times_section(const Report& report) {
    std::string table = table_head();
    std::vector<svg::Bar> q, reconstruction;
    for (const Row& row : report.rows) {
        table += table_line(row) + "\n";
        if (!row.skipped.empty()) {
            continue;
        }
        const char* mark = row.extrapolated() ? ", extrapolated" : "";
        if (row.q) {
            q.push_back({row.id, row.q->seconds, fmt::format("{:.3g} s{}", row.q->seconds, mark)});
        }
        reconstruction.push_back(
            {row.id, row.reconstruction_seconds(), fmt::format("{:.3g} s{}", row.reconstruction_seconds(), mark)});
    }
    return "<h2>Times</h2>\n" + pre(table) + pre(table_notes(report)) +
           svg::bar_plot("Q, once a trajectory: seconds", q) +
           svg::bar_plot("F^H d + solver, a scan's reconstruction: seconds", reconstruction);
}

std::string figure_of(std::span<const cfloat> voxels, const Geometry& geometry, const Plane& plane, float white,
                      const std::string& caption) {
    constexpr int width_px = 256;
    return fmt::format("<figure style='display:inline-block;margin:.5em'>{}<figcaption>{}</figcaption></figure>\n",
                       picture_of(voxels, geometry, plane, white, escaped(caption), width_px), escaped(caption));
}

std::string pictures(const ImageReport& report) {
    const Geometry& geometry = report.truth.geometry;
    const Plane plane{2, geometry.matrix_size[2] / 2 + geometry.matrix_size[2] / 16};
    const auto white_of = [](const std::vector<cfloat>& voxels) {
        std::vector<float> magnitudes;
        for (const cfloat value : voxels) {
            magnitudes.push_back(std::abs(value));
        }
        return display_maximum(std::move(magnitudes));
    };
    const float white = white_of(report.truth.voxels);
    std::string text =
        figure_of(report.truth.voxels, geometry, plane, white, "truth") +
        figure_of(report.prior_image.voxels, geometry, plane, white_of(report.prior_image.voxels), "proton image");
    for (const ImageRow& row : report.rows) {
        text += figure_of(row.image, geometry, plane, white,
                          fmt::format("{}: {:.1f} %", row.title, 100 * row.figures.all.relative_l2));
    }
    return text;
}

std::string image_section(const ImageReport& report) {
    std::string table = image_head();
    for (const ImageRow& row : report.rows) {
        table += image_line(row) + "\n";
    }
    std::string steps = step_image_head();
    for (const StepImageRow& row : report.steps) {
        steps += step_image_line(row) + "\n";
    }
    return "<h2>Image</h2>\n" + pre(table) + pictures(report) + pre(image_notes(report)) + pre(steps);
}

}  // namespace

std::string report_page(const StudyReport& report) {
    std::string body;
    if (report.times) {
        body += times_section(*report.times);
    }
    if (report.image) {
        body += image_section(*report.image);
    }
    return ladder::html_page("recon study stone2008", body);
}

}  // namespace recon::stone
