#include <fmt/format.h>

#include "app/studies/heart/heart_ladder_report.hpp"
#include "app/studies/ladder/html_page.hpp"
#include "data/pictures/svg_plot.hpp"

namespace recon::heart {
namespace {

using svg::escaped;

std::string row(const LadderRecord& record) {
    const auto& twin = record.step.published;
    const std::string published =
        twin ? fmt::format("<td>{:g}</td><td>{:g}</td>", twin->seconds, twin->gflops) : "<td></td><td></td>";
    if (!record.skipped.empty()) {
        return fmt::format("<tr><td>{}</td><td colspan='7' class='words'>skipped: {}</td>{}</tr>\n",
                           escaped(record.name()), escaped(record.skipped), published);
    }
    const std::string bound =
        record.share > 0 ? fmt::format("{:.0f} % of {}", 100 * record.share, record.bound) : record.step.bound;
    return fmt::format(
        "<tr><td>{}</td><td>{:.4g}</td><td>{:.4g}</td><td>{:.4g}</td><td class='words'>{}</td><td>{:.1e}</td>"
        "<td>{:.12f}</td><td>{:.12f}</td>{}</tr>\n",
        escaped(record.name()), record.seconds, record.gflops, record.gb_per_s, escaped(bound), record.error,
        record.largest, record.root_mean_square, published);
}

/// Those of the steps that ran whose name begins with `prefix`.
std::vector<svg::Bar> bars(const LadderReport& report, const std::string& prefix) {
    std::vector<svg::Bar> bars;
    for (const LadderRecord& record : report.records) {
        if (record.skipped.empty() && record.step.id.starts_with(prefix)) {
            bars.push_back(
                {record.name(), record.gflops, fmt::format("{:.4g}, {:.3g} s", record.gflops, record.seconds)});
        }
        if (record.step.published && record.step.id.starts_with(prefix)) {
            const Published& twin = *record.step.published;
            bars.push_back({"published", twin.gflops, fmt::format("{:g}, {:g} s", twin.gflops, twin.seconds)});
        }
    }
    return bars;
}

std::string lessons(const LadderReport& report) {
    std::string text =
        "<h2>The steps</h2>\n<table><tr><th>step</th><th>what changed</th><th>what bounds it</th></tr>\n";
    for (const LadderRecord& record : report.records) {
        text +=
            fmt::format("<tr><td>{}: {}</td><td class='words'>{}</td><td class='words'>{}</td></tr>\n", record.step.id,
                        escaped(record.step.title), escaped(record.step.change), escaped(record.step.bound));
    }
    return text + "</table>\n";
}

}  // namespace

std::string ladder_page(const LadderReport& report) {
    std::string body = fmt::format("<pre>{}</pre>\n", escaped(ladder_foot(report))) + lessons(report) +
                       "<h2>Figures</h2>\n<table><tr><th>step</th><th>s</th><th>GFLOP/s</th><th>GB/s</th><th>bound</th>"
                       "<th>error</th><th>Linf</th><th>L2</th><th>published s</th><th>GFLOP/s</th></tr>\n";
    for (const LadderRecord& record : report.records) {
        body += row(record);
    }
    return ladder::html_page("recon ladder: the heart",
                             body + "</table>\n" + svg::bar_plot("GFLOP/s, here and published", bars(report, "")) +
                                 svg::bar_plot("GFLOP/s by the size of V4's blocks", bars(report, "v4-shared-")));
}

}  // namespace recon::heart
