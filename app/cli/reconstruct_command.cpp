#include "app/cli/reconstruct_command.hpp"

#include <unistd.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "app/cli/rank_role.hpp"
#include "app/cli/reconstruct_command_line.hpp"
#include "app/cli/run_outputs.hpp"
#include "app/cli/scan/scan_word.hpp"
#include "app/cli/shell/launch.hpp"
#include "app/cli/shell/option_names.hpp"
#include "app/cli/shell/options_in_force.hpp"
#include "app/cli/shell/signals.hpp"
#include "app/cli/shell/visible_gpus.hpp"
#include "app/cli/stream/standard_streams.hpp"
#include "app/cli/trust/trust.hpp"
#include "app/reconstruction/coils/coil_inputs.hpp"
#include "app/reconstruction/memory/memory_planning.hpp"
#include "app/reconstruction/off_resonance/off_resonance_preparation.hpp"
#include "app/reconstruction/reconstruction.hpp"
#include "app/report/comparison_report.hpp"
#include "app/report/coverage_map.hpp"
#include "app/report/rank_record.hpp"
#include "app/report/run_origin.hpp"
#include "app/report/run_record.hpp"
#include "app/report/uncertainty_picture.hpp"
#include "core/base/cpu_count.hpp"
#include "core/base/error.hpp"
#include "core/base/log.hpp"
#include "core/devices/device_choice.hpp"
#include "core/devices/device_start.hpp"
#include "data/reading/format.hpp"
#include "data/reading/placed_image_reader.hpp"

namespace recon {
namespace {

/// @param record  gets what was done to it
Scan load_scan(ReconstructCommandLine& line, const RankRole& role, RunRecord& record) {
    Scan scan = read_scan(line.scan_path, read_options(line, role.reading()));
    read_coil_inputs(scan, line.coil_maps, line.body_coil_path, line.reconstruct.coils);
    line.off_resonance.times_for_gradients = !line.gradients.impulse_response.empty();
    prepare_off_resonance(scan, line.off_resonance, line.reconstruct.off_resonance);
    const RunRecord gradients = correct_gradients(scan, line.gradients);
    if (!gradients.empty()) {
        record["gradients"] = gradients;
    }
    return scan;
}

/// One image of the frames' voxels, which their results lose: a series is not held twice.
Image take_image(const Scan& scan, std::vector<FrameResult>& results, std::vector<cfloat> FrameResult::*voxels) {
    Image image;
    image.geometry = scan.geometry;
    image.frames.clear();
    image.voxels = std::move(results.front().*voxels);
    image.voxels.reserve(image.voxels.size() * results.size());
    for (std::size_t i = 0; i < results.size(); ++i) {
        image.frames.push_back({results[i].label, scan.frames[i].orientation});
        const std::vector<cfloat> frame = std::move(results[i].*voxels);  // nothing is left of the first
        image.voxels.insert(image.voxels.end(), frame.begin(), frame.end());
    }
    return image;
}

/// Figures of every frame against the reference frame of its number, or the only one.
RunRecord judge(const std::string& name, const Image& image, const Image& reference) {
    std::vector<ImageComparison> figures;
    for (Index i = 0; i < image.frame_count(); ++i) {
        const Index reference_frame = reference.frame_count() == 1 ? 0 : i;
        figures.push_back(compare_images(image.frame(i), reference.frame(reference_frame), image.geometry.matrix_size));
        log_info("{} against the reference: NRMSE {:.4f}, {:.4f} after one complex scale, PSNR {:.2f} dB, SSIM {:.4f}",
                 name, figures.back().nrmse, figures.back().nrmse_scaled, figures.back().psnr_db, figures.back().ssim);
    }
    return comparison_json(figures);
}

Image load_reference(const ReconstructCommandLine& line, const Scan& scan) {
    Image reference = read_placed_image(line.reference_path).image;
    if (reference.geometry.matrix_size != scan.geometry.matrix_size) {
        throw InputError(fmt::format("{}: the reference is {}, the image will be {}; expected equal sizes",
                                     line.reference_path, Shape::image(reference.geometry.matrix_size).text(),
                                     Shape::image(scan.geometry.matrix_size).text()));
    }
    const Index frame_count = static_cast<Index>(scan.frames.size());
    if (reference.frame_count() != 1 && reference.frame_count() != frame_count) {
        throw InputError(fmt::format("{}: the reference has {} frames, the scan {}; expected as many, or one",
                                     line.reference_path, reference.frame_count(), frame_count));
    }
    return reference;
}

Progress progress_of(const ReconstructCommandLine& line) {
    return line.quiet ? Progress::silent : isatty(STDERR_FILENO) != 0 ? Progress::live_line : Progress::log_lines;
}

void run(ReconstructCommandLine& line, RunControl& control, ProcessGroup* group) {
    const Stopwatch total;
    set_log_level(line.quiet ? LogLevel::warning : line.verbose ? LogLevel::debug : LogLevel::info);
    const RankRole role(group);
    role.adapt(line);
    if (line.scan_path.empty()) {
        throw UsageError(
            "a scan is required: recon FILE, or --scan FILE (recon --help lists the options and subcommands)");
    }
    complete_names(line);
    if (!line.report_path.empty() && image_only_format(line.out_path) != nullptr) {
        throw UsageError(
            fmt::format("--report is made of an --out of HDF5 (.h5), and {} holds the image alone", line.out_path));
    }
    line.reconstruct.off_resonance.correct = line.off_resonance.asked_for();
    line.reconstruct.regularisation = read_regularisation(line.regularisation);
    Trust trust(line.scan_path, line.trust, line.reconstruct.coils, line.option_names);
    const std::size_t memory_limit =
        line.memory_limit.empty() ? MemoryBudget::unlimited : parse_memory_size(line.memory_limit);
    line.reconstruct.q_cache = cache_options(line);
    role.check_outputs_for_all(line);
    line.outputs_checked = role.is_root();
    look_through_inputs(line);
    std::optional<ScanDigest> scan_digest;
    if (role.is_root()) {
        scan_digest.emplace(line.scan_path);
    }
    if (group == nullptr) {
        show_no_more_gpus_than_needed(line.device);
    }
    std::optional<DeviceStart> device_start(line.device);  // takes as long as what the host does until the team is made
    Scan scan;
    RunRecord of_scan = RunRecord::object();
    {
        const StageScope stage(control, Stage::read);
        const EndAtOnce while_reading;
        scan = load_scan(line, role, of_scan);
    }
    role.hold(scan, line, control);
    std::optional<Image> reference;
    if (!line.reference_path.empty()) {
        reference = load_reference(line, scan);
    }
    {
        const std::unique_ptr<Backend> host = make_backend("cpu", {.thread_count = line.thread_count});
        host->memory().set_limit(role.memory_limit(*host, memory_limit));
        Run before_ranks(*host, only_rank(), control);
        trust.check(scan, line.reconstruct.coils, before_ranks, role.is_root());
    }
    device_start.reset();
    const Team team = role.team(line);
    for (const auto& backend : team.backends) {
        log_info("backend: {}", backend->description());
        backend->memory().set_limit(role.memory_limit(*backend, memory_limit));
    }

    if (!line.checkpoint.path.empty()) {
        control.checkpoint = role.checkpoint(line, scan, team);
    }
    RunRecord field_map_check;
    {
        Run before_ranks(team.first(), only_rank(), control);
        field_map_check = check_off_resonance(scan, line.reconstruct.off_resonance, before_ranks);
        trust.add_field_map(field_map_check);
    }
    if (group != nullptr) {
        group->begin_work();
    }
    std::vector<FrameResult> results = reconstruct(scan, team, line.reconstruct, control);
    RunRecord ranks;
    if (group != nullptr) {
        ranks = ranks_record(team, {total.seconds(), group->waited_seconds(), line.thread_count});
    }
    if (!role.is_root()) {
        return;
    }
    for (const FrameResult& result : results) {
        trust.add(result.findings);
    }
    const Image image = take_image(scan, results, &FrameResult::image);
    std::optional<Image> baseline;
    if (line.reconstruct.baseline) {
        baseline = take_image(scan, results, &FrameResult::baseline);
    }

    RunRecord record = reconstruction_record(team, results, control.stages);
    record.update(program_record());
    record.update(of_scan);
    record["options"] = line.given;
    record["command"] = line.command;
    record["tolerance"] = results.front().tolerance.tolerance;
    record["tolerance_source"] = results.front().tolerance.source;
    record["threads"] = line.thread_count > 0 ? line.thread_count : usable_cpu_count();
    if (const auto digest = scan_digest->text()) {
        record["scan_sha256"] = *digest;
    }
    if (!ranks.empty()) {
        record["ranks"] = ranks;
    }
    record["check"] = trust.record();
    if (!field_map_check.empty()) {
        record["field_map_check"] = field_map_check;
    }
    record["memory_forecast_bytes"] = results.front().memory.peak_bytes;
    record["memory_booked_peak_bytes"] = team.first().memory().peak();
    record["memory_plan"] = results.front().memory.text();
    if (reference) {
        record["reference"] = judge(image_title(line.reconstruct.regularisation), image, *reference);
        if (baseline) {
            record["baseline"] = judge("gridding", *baseline, *reference);
        }
    }
    if (!line.regularisation.uncertainty_png_path.empty()) {
        write_png(line.regularisation.uncertainty_png_path, uncertainty_picture(image, results.front().extras));
    }
    if (!line.regularisation.lambda_png_path.empty()) {
        write_png(line.regularisation.lambda_png_path, lambda_picture(*results.front().lambda));
    }
    std::vector<NamedArray> extras = take_extras(results);
    for (NamedArray& map : coverage_maps(scan)) {
        extras.push_back(std::move(map));
    }
    log_info("data residual |E rho - d| / |d| = {:.5f}", results.front().data_residual);
    write_outputs(line, {image, baseline, reference, extras}, record, control, total.seconds());
    log_info("{} written in {:.2f} s in all", line.out_path, total.seconds());
}

/// @throws Cancelled saying what has become of the output
void run_watched(ReconstructCommandLine& line, ProcessGroup* group) {
    RunControl control;
    control.progress = progress_of(line);
    control.partial = line.keep_partial ? PartialImage::keep : PartialImage::discard;
    const SignalWatch watch(control.cancel);
    if (group != nullptr) {
        group->watch(control.cancel);
    }
    const auto keep_what_is_done = [&] {
        if (control.checkpoint) {
            control.checkpoint->write_ends();
        }
        return control.checkpoint
                   ? fmt::format("; {} holds how far it got, --resume goes on from there", control.checkpoint->path())
                   : std::string();
    };
    try {
        run(line, control, group);
    } catch (const Cancelled&) {
        throw Cancelled(line.out_path + " is as it was before" + keep_what_is_done());
    } catch (const std::exception& error) {
        keep_what_is_done();
        write_failure_page(line, error.what());
        throw;
    }
    if (control.cancel.requested() && line.keep_partial) {
        throw Cancelled(line.out_path + " holds the image as it was then" + keep_what_is_done());
    }
    if (control.checkpoint && RankRole(group).owns(*control.checkpoint, line)) {
        control.checkpoint->remove();
    }
}

}  // namespace

void add_reconstruct_command(CLI::App& app) {
    const auto line = std::make_shared<ReconstructCommandLine>();
    add_reconstruct_options(app, *line);
    app.callback([&app, line] {
        if (app.get_subcommands().empty()) {
            if (line->print_config) {
                fmt::print("{}", app.config_to_str());
                return;
            }
            line->given = options_in_force(app);
            line->command = command_text(app);
            if (!line->beside.empty() && !line->scan_path.empty()) {
                throw UsageError(
                    fmt::format("{} and --scan {} are two scans; give one", line->beside, line->scan_path));
            }
            if (!line->beside.empty()) {
                require_existing_file(line->beside, app);
                line->scan_path = line->beside;
                line->given["scan"] = line->beside;
                if (app.count("--out") == 0) {
                    line->out_path = image_path_beside(line->beside);
                    line->given["out"] = line->out_path;
                }
            }
            const std::unique_ptr<const SpooledInput> stdin_file =
                open_standard_streams(line->scan_path, line->out_path);
            line->option_names = option_names(app);
            if (line->reconstruct.divide != RankDivision::none && is_one_of_several()) {
                run_with_others(line->option_names, [&](ProcessGroup* group) { run_watched(*line, group); });
            } else {
                run_watched(*line, nullptr);
            }
        }
    });
}

}  // namespace recon
