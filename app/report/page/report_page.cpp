#include "app/report/page/report_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "app/report/largest_of_frames.hpp"
#include "app/report/page/page_curves.hpp"
#include "app/report/page/page_images.hpp"
#include "app/report/page/page_text.hpp"
#include "data/files/write_bytes.hpp"
#include "data/pictures/svg_plot.hpp"

namespace recon {
namespace {

constexpr const char* style = R"(
:root{color-scheme:light dark;--ground:#fff;--ink:#1c2126;--faint:#66707a;--line:#8883;--card:#f3f5f7;--mark:#3a87c8;
--warn:#fff4e0;--warn-line:#d9933a}
@media (prefers-color-scheme:dark){:root{--ground:#14181c;--ink:#e4e8ec;--faint:#98a2ac;--card:#1e242a;--warn:#3a2c14}}
body{font:15px/1.5 system-ui,sans-serif;background:var(--ground);color:var(--ink);max-width:1120px;margin:2em auto;padding:0 1.2em}
h1{font-size:1.6em;margin:0}h2{font-size:1.15em;margin:2em 0 .4em;border-bottom:1px solid var(--line);padding-bottom:.2em}
h3{font-size:1em;font-weight:600;margin:1em 0 .3em;color:var(--faint)}
.lead{color:var(--faint);margin:.2em 0 1.2em}
.cards{display:flex;flex-wrap:wrap;gap:.8em}.card{background:var(--card);border-radius:8px;padding:.6em 1em;min-width:9em}
.card b{display:block;font-size:1.35em;font-weight:600}.card span{color:var(--faint);font-size:.87em}
.warnings{background:var(--warn);border-left:4px solid var(--warn-line);border-radius:4px;padding:.6em 1em;margin:1em 0}
.warnings ul{margin:.2em 0;padding-left:1.2em}
.row{display:flex;flex-wrap:wrap;gap:.7em}figure{margin:0}figcaption{font-size:.85em;color:var(--faint);max-width:205px}
img{display:block;background:#000;image-rendering:pixelated;border-radius:3px}
table{border-collapse:collapse;font-size:.93em;margin:.6em 0}th,td{text-align:left;padding:.22em .9em .22em 0;vertical-align:top;
border-bottom:1px solid var(--line)}th{font-weight:500;color:var(--faint)}td{overflow-wrap:anywhere}
.timing td{font-variant-numeric:tabular-nums}.bar{width:18em}.bar i{display:block;height:.75em;margin-top:.4em;background:var(--mark);border-radius:2px}
svg{max-width:100%;height:auto}pre{background:var(--card);border-radius:6px;padding:.8em 1em;white-space:pre-wrap;overflow-wrap:anywhere;font-size:.87em}
@media print{:root{--ground:#fff;--ink:#000;--faint:#444;--card:#f3f5f7}body{margin:0;max-width:none}section{break-inside:auto}
.row,figure,table,svg,.cards{break-inside:avoid}h2,h3{break-after:avoid}.row{gap:1%}figure{max-width:19%}figure img{max-width:100%;height:auto}img,.bar i,.card,.warnings{print-color-adjust:exact;-webkit-print-color-adjust:exact}}
)";

std::string card(const std::string& value, const std::string& name) {
    return value.empty() ? ""
                         : fmt::format("<div class='card'><b>{}</b><span>{}</span></div>\n", svg::escaped(value), name);
}

std::string percent(const RunRecord& record, const std::string& name) {
    const auto found = record.find(name);
    return found != record.end() && found->is_number() ? fmt::format("{:.3g} %", 100 * found->get<double>()) : "";
}

/// Of a series the largest, and of which frame that is.
std::string card_of_frames(const RunRecord& record, const char* name, const std::string& title) {
    const LargestOfFrames largest(record, name);
    return largest.value > 0 ? card(fmt::format("{:.3g} %", 100 * largest.value), title + largest.of_frame()) : "";
}

std::string cards(const PageContents& contents) {
    const RunRecord& record = contents.record;
    const PerAxis<Index>& matrix = contents.image.geometry.matrix_size;
    const double seconds = record.value("seconds", RunRecord::object()).value("total", 0.0);
    const RunRecord reference = record.value("reference", RunRecord::object());
    return "<div class='cards'>\n" + card_of_frames(record, "predicted_error", "predicted error") +
           card(percent(reference, "nrmse"), "error against the reference") +
           card_of_frames(record, "data_residual", "residual of the data") +
           card(value_text(record.value("check", RunRecord::object()), "verdict"), "check of the scan") +
           card(fmt::format("{} x {} x {}", matrix[0], matrix[1], matrix[2]), "voxels") +
           card(seconds > 0 ? fmt::format("{:.3g} s", seconds) : "", "in all") + "</div>\n";
}

/// What the check found, and what the log warned of: each once.
std::string warnings(const RunRecord& record) {
    std::vector<std::string> texts;
    const auto add = [&](const std::string& text) {
        const auto is_said = [&](const std::string& said) { return text.find(said) != std::string::npos; };
        const auto known = std::ranges::find_if(texts, is_said);
        if (known != texts.end()) {
            *known = text;  // which says more: the name of the stage, what would mend it
        } else if (!text.empty()) {
            texts.push_back(text);
        }
    };
    for (const auto& finding : record.value("check", RunRecord::object()).value("findings", RunRecord::array())) {
        if (value_text(finding, "kind") != "cannot_tell") {
            add(value_text(finding, "text"));
        }
    }
    for (const LogLine& line : log_lines(record)) {
        if (line.level == "warning") {
            add(line.text);
        }
    }
    std::string items;
    for (const std::string& text : texts) {
        items += fmt::format("<li>{}</li>\n", svg::escaped(text));
    }
    return items.empty() ? "<p class='lead'>No warnings.</p>\n"
                         : "<div class='warnings'><strong>Look at this first</strong>\n<ul>" + items + "</ul></div>\n";
}

std::string figures_section(const RunRecord& record) {
    std::string rows;
    for (const auto& [name, title] : {std::pair<const char*, const char*>{"reference", "recon"},
                                      std::pair<const char*, const char*>{"baseline", "gridding + FFT"}}) {
        const RunRecord figures = record.value(name, RunRecord::object());
        if (figures.contains("nrmse")) {
            rows += fmt::format("<tr><th>{}</th><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n", title,
                                value_text(figures, "nrmse"), value_text(figures, "nrmse_scaled"),
                                value_text(figures, "psnr_db"), value_text(figures, "ssim"));
        }
    }
    return section("Against the reference",
                   rows.empty() ? ""
                                : "<table>\n<tr><th></th><th>NRMSE</th><th>after one complex scale</th><th>PSNR dB</th>"
                                  "<th>SSIM</th></tr>\n" +
                                      rows + "</table>\n");
}

/// The lines of the log but those of iterations: each says what was decided, and why.
std::string decisions_section(const RunRecord& record) {
    std::vector<std::pair<std::string, std::string>> rows;
    for (const LogLine& line : log_lines(record)) {
        const std::size_t colon = line.text.find(": ");
        if (line.level == "info" && line.text.find(": iteration ") == std::string::npos) {
            const bool has_name = colon != std::string::npos && colon < 48;
            rows.emplace_back(has_name ? line.text.substr(0, colon) : " ",
                              has_name ? line.text.substr(colon + 2) : line.text);
        }
    }
    return section("What was decided, and why", table(rows));
}

std::string again_section(const RunRecord& record) {
    const std::string command = value_text(record, "command");
    return section("Make it again", (command.empty() ? "" : "<pre>" + svg::escaped(command) + "</pre>\n") +
                                        table({{"recon", value_text(record, "version")},
                                               {"commit", value_text(record, "commit")},
                                               {"scan, SHA-256", value_text(record, "scan_sha256")},
                                               {"host", value_text(record, "host")},
                                               {"devices", value_text(record, "devices")},
                                               {"threads", value_text(record, "threads")},
                                               {"tolerance of the sums", value_text(record, "tolerance")},
                                               {"sums", value_text(record, "sums")},
                                               {"Q", value_text(record, "q")},
                                               {"memory", value_text(record, "memory_plan")}}));
}

std::string head(const std::string& title, const std::string& lead) {
    return fmt::format(
        "<!DOCTYPE html>\n<html lang='en'>\n<head>\n<meta charset='utf-8'>\n"
        "<meta name='viewport' content='width=device-width'>\n<title>{0}</title>\n<style>{1}</style>\n"
        "</head>\n<body>\n<h1>{0}</h1>\n<p class='lead'>{2}</p>\n",
        svg::escaped(title), style, svg::escaped(lead));
}

}  // namespace

std::string report_page(const PageContents& contents) {
    const RunRecord& record = contents.record;
    const RunRecord options = record.value("options", RunRecord::object());
    const std::string scan = value_text(options, "scan");
    return head(contents.path, fmt::format("{} by recon {}", scan.empty() ? "made" : "reconstructed from " + scan,
                                           value_text(record, "version"))) +
           cards(contents) + warnings(record) + images_section(contents) + figures_section(record) +
           uncertainty_section(contents) + coils_section(contents) + off_resonance_section(contents) +
           coverage_section(contents) + convergence_section(record) + spectrum_section(record) +
           decisions_section(record) + timing_section(record) + again_section(record) + "</body>\n</html>\n";
}

std::string failure_page(const RunRecord& record, const std::string& error) {
    const RunRecord options = record.value("options", RunRecord::object());
    return head("No image of " + value_text(options, "scan"), "recon " + value_text(record, "version") + " failed") +
           "<div class='warnings'><strong>What went wrong</strong>\n<p>" + svg::escaped(error) + "</p></div>\n" +
           warnings(record) + decisions_section(record) + again_section(record) + "</body>\n</html>\n";
}

void write_report(const PageContents& contents, const std::string& page_path) {
    const std::string page = report_page(contents);
    write_bytes(page_path, std::as_bytes(std::span(page)));
}

}  // namespace recon
