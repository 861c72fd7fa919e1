#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>

#include "app/studies/ladder/html_page.hpp"
#include "app/studies/ladder/ladder_report.hpp"
#include "data/pictures/svg_plot.hpp"

namespace recon::ladder {
namespace {

using svg::Bar;
using svg::bar_plot;
using svg::Dot;
using svg::dot_plot;
using svg::escaped;
using svg::heat_plot;
using svg::HeatMap;
using svg::Line;
using svg::line_plot;

constexpr const char* sum_names[] = {"Q", "F<sup>H</sup>d"};
constexpr const char* plain_names[] = {"Q", "F^H d"};

std::string name_of(const StepRecord& record) {
    return record.step.place == Place::gpus ? fmt::format("{} x {}", record.step.id, record.gpu_count) : record.step.id;
}

std::string decibels(double value) { return std::isfinite(value) ? fmt::format("{:.1f}", value) : "-"; }

std::string row(const StepRecord& record, int sum) {
    const SumRecord& r = record.sums[sum];
    if (!r.skipped.empty()) {
        return fmt::format("<tr><td>{}</td><td colspan='9' class='words'>skipped: {}</td></tr>\n",
                           escaped(name_of(record)), escaped(r.skipped));
    }
    const std::string bound =
        r.bound.share > 0 ? fmt::format("{:.0f} % of {}", 100 * r.bound.share, r.bound.unit) : record.step.bound;
    return fmt::format(
        "<tr><td>{}</td><td>{:.4g}</td><td>{:.3g}</td><td>{:.5g}</td><td class='words'>{}</td><td>{:.3g}</td>"
        "<td>{:.1e}</td><td>{:.1e}</td><td>{}</td><td>{}</td></tr>\n",
        escaped(name_of(record)), 1e3 * r.seconds, r.pairs_per_s, 1e-9 * r.flops, escaped(bound),
        1e-6 * r.run.work.device_bytes, r.error.largest, r.error.relative_l2, decibels(r.error.psnr_db),
        decibels(r.error.snr_db));
}

std::string sum_section(const Report& report, int sum) {
    std::string text = fmt::format(
        "<h2>{}</h2>\n<table><tr><th>step</th><th>ms</th><th>pairs/s</th><th>GFLOP/s</th><th>bound</th><th>device "
        "MB</th>"
        "<th>largest error</th><th>relative</th><th>PSNR dB</th><th>SNR dB</th></tr>\n",
        sum_names[sum]);
    std::vector<Bar> bars;
    std::vector<Dot> dots;
    for (const StepRecord& record : report.steps) {
        text += row(record, sum);
        const SumRecord& r = record.sums[sum];
        if (r.skipped.empty()) {
            bars.push_back({name_of(record), r.pairs_per_s,
                            fmt::format("{:.2g}, error {:.0e}", r.pairs_per_s, r.error.relative_l2)});
            if (r.error.relative_l2 > 0) {
                dots.push_back({name_of(record), r.pairs_per_s, r.error.relative_l2});
            }
        }
    }
    const std::string name = plain_names[sum];
    return text + "</table>\n" + bar_plot(name + ": pairs of a sample and a voxel a second", bars) +
           dot_plot(name + ": speed and error", "pairs/s", "relative L2 error", dots);
}

/// Where the samples are, over how many of them a launch has.
std::string places_section(const Report& report, int sum) {
    std::map<std::string, Line> lines;
    for (const StepRecord& record : report.steps) {
        for (const TuningTrial& trial : record.sums[sum].run.trials) {
            if (!trial.variant.empty()) {
                const std::string label = fmt::format("{}, {} threads", trial.variant, trial.tuning.threads);
                lines[label].label = label;
                lines[label].points.emplace_back(trial.tuning.samples_per_launch, 1e3 * trial.seconds);
            }
        }
    }
    std::vector<Line> list;
    for (auto& [label, line] : lines) {
        list.push_back(std::move(line));
    }
    return list.empty() ? std::string()
                        : svg::log_plot(fmt::format("{}: samples in constant memory as structures or arrays, or in "
                                                    "global memory",
                                                    plain_names[sum]),
                                        "samples a launch", "ms", svg::Scale::logarithmic, list);
}

/// Threads of a block against samples of a launch, a map for each unrolling.
std::string tuning_section(const Report& report, int sum) {
    std::vector<TuningTrial> trials;
    for (const StepRecord& record : report.steps) {
        const auto& more = record.sums[sum].run.trials;
        std::ranges::copy_if(more, std::back_inserter(trials),
                             [](const TuningTrial& trial) { return trial.variant.empty(); });
    }
    if (trials.empty()) {
        return {};
    }
    std::map<int, HeatMap> maps;
    double best = trials.front().seconds;
    for (const auto& [tuning, seconds, variant] : trials) {  // in the order of threads, samples, unrolling
        HeatMap& map = maps[tuning.unroll];
        map.title = fmt::format("unrolled by {}", tuning.unroll);
        const std::string rows = std::to_string(tuning.threads), columns = std::to_string(tuning.samples_per_launch);
        if (map.rows.empty() || map.rows.back() != rows) {
            map.rows.push_back(rows);
        }
        if (std::find(map.columns.begin(), map.columns.end(), columns) == map.columns.end()) {
            map.columns.push_back(columns);
        }
        map.values.push_back(seconds);
        best = std::min(best, seconds);
    }
    std::vector<HeatMap> list;
    for (auto& [unroll, map] : maps) {
        list.push_back(std::move(map));
    }
    return heat_plot(fmt::format("{}: speed in percent of the best, threads of a block (down) and samples of a launch",
                                 plain_names[sum]),
                     list, best);
}

std::string multi_section(const Report& report) {
    std::vector<Line> lines;
    for (const StepRecord& record : report.steps) {
        if (record.step.place != Place::gpus) {
            continue;
        }
        for (int sum = 0; sum < 2; ++sum) {
            if (!record.sums[sum].skipped.empty()) {
                continue;
            }
            const std::string label = record.step.id + ", " + plain_names[sum];
            auto found = std::find_if(lines.begin(), lines.end(), [&](const Line& l) { return l.label == label; });
            if (found == lines.end()) {
                found = lines.insert(lines.end(), Line{label, {}});
            }
            found->points.emplace_back(record.gpu_count, record.sums[sum].pairs_per_s);
        }
    }
    for (Line& line : lines) {
        const double one = line.points.front().second;
        for (auto& point : line.points) {
            point.second /= one;
        }
    }
    const bool several = std::any_of(lines.begin(), lines.end(), [](const Line& l) { return l.points.size() > 1; });
    return several ? "<h2>Several GPUs</h2>\n" + line_plot("Speed-up over one GPU", "GPUs", "speed-up", lines) : "";
}

std::string image_section(const Report& report) {
    if (report.image.empty()) {
        return {};
    }
    std::string text = fmt::format(
        "<h2>Image</h2>\n<p>{}. Made with sums in double it is {:.3g} % from the phantom (PSNR {:.1f} dB): that is "
        "noise "
        "and resolution, and no step can do better.</p>\n<table><tr><th>step</th><th>from the phantom</th><th>PSNR "
        "dB</th>"
        "<th>SNR dB</th><th>from the image in double</th><th>PSNR dB</th></tr>\n",
        escaped(report.image), 100 * report.image_truth.relative_l2, report.image_truth.psnr_db);
    for (const StepRecord& record : report.steps) {
        const ImageRecord& image = record.image;
        text +=
            image.skipped.empty()
                ? fmt::format("<tr><td>{}</td><td>{:.4g} %</td><td>{}</td><td>{}</td><td>{:.1e}</td><td>{}</td></tr>\n",
                              escaped(name_of(record)), 100 * image.from_truth.relative_l2,
                              decibels(image.from_truth.psnr_db), decibels(image.from_truth.snr_db),
                              image.from_double.relative_l2, decibels(image.from_double.psnr_db))
                : fmt::format("<tr><td>{}</td><td colspan='5' class='words'>skipped: {}</td></tr>\n",
                              escaped(name_of(record)), escaped(image.skipped));
    }
    return text + "</table>\n";
}

std::string lessons(const Report& report) {
    std::string text =
        "<h2>The steps</h2>\n<table><tr><th>step</th><th>what changed</th><th>what bounds it</th></tr>\n";
    std::string last;
    for (const StepRecord& record : report.steps) {
        if (record.step.id != last) {
            text += fmt::format("<tr><td>{}: {}</td><td class='words'>{}</td><td class='words'>{}</td></tr>\n",
                                record.step.id, escaped(record.step.title), escaped(record.step.change),
                                escaped(record.step.bound));
            last = record.step.id;
        }
    }
    return text + "</table>\n";
}

}  // namespace

std::string report_page(const Report& report) {
    const DeviceCeilings& c = report.ceilings;
    std::string ceilings;
    if (c.copy_bytes_per_s > 0) {
        ceilings = fmt::format(
            "<p>Ceilings measured in this run: copy {:.3g} TB/s, sines {:.3g} T/s, multiply-adds {:.3g} TFLOP/s, half "
            "precision products {:.3g} TFLOP/s.</p>\n",
            1e-12 * c.copy_bytes_per_s, 1e-12 * c.special_functions_per_s, 1e-12 * c.fp32_flops,
            1e-12 * c.tensor_flops);
    }
    const std::string head = fmt::format(
        "<p>{}</p>\n<p>CPU: {}<br>GPU: {}</p>\n{}"
        "<p>GFLOP/s by the originals' counting, a sine or a cosine as one operation: {:g} a pair for Q, {:g} for "
        "F<sup>H</sup>d, whatever a step really does. Errors against sums in double at {} voxels. Version {}.</p>\n",
        escaped(report.problem), escaped(report.cpu), escaped(report.gpu), ceilings, operations_a_pair(Sum::q),
        operations_a_pair(Sum::fhd), report.error_voxel_count, RECON_VERSION);
    return html_page("recon ladder", head + lessons(report) + sum_section(report, 0) + sum_section(report, 1) +
                                         image_section(report) +
                                         (tuning_section(report, 0).empty() ? "" : "<h2>Tuning</h2>\n") +
                                         tuning_section(report, 0) + tuning_section(report, 1) +
                                         places_section(report, 0) + places_section(report, 1) + multi_section(report));
}

}  // namespace recon::ladder
