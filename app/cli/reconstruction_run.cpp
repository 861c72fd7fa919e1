#include "app/cli/reconstruction_run.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>

#include "app/cli/idle_options.hpp"
#include "app/cli/rank_role.hpp"
#include "app/cli/reconstruct_command_line.hpp"
#include "app/cli/reference/reference_image.hpp"
#include "app/cli/run_outputs.hpp"
#include "app/cli/scan/margin_command_line.hpp"
#include "app/cli/shell/signals.hpp"
#include "app/cli/shell/visible_gpus.hpp"
#include "app/cli/trust/trust.hpp"
#include "app/reconstruction/coils/coil_inputs.hpp"
#include "app/reconstruction/memory/memory_planning.hpp"
#include "app/reconstruction/off_resonance/off_resonance_preparation.hpp"
#include "app/reconstruction/off_resonance/own_field_map.hpp"
#include "app/reconstruction/reconstruction.hpp"
#include "app/report/bids_sidecar.hpp"
#include "app/report/coverage_map.hpp"
#include "app/report/lambda_report.hpp"
#include "app/report/rank_record.hpp"
#include "app/report/run_origin.hpp"
#include "app/report/run_record.hpp"
#include "app/report/run_summary.hpp"
#include "app/report/uncertainty_picture.hpp"
#include "core/base/error.hpp"
#include "core/base/log.hpp"
#include "core/base/threads/cpu_count.hpp"
#include "core/devices/device_choice.hpp"
#include "core/devices/device_start.hpp"

namespace recon {
namespace {

/// @param record  gets what was done to it
Scan load_scan(ReconstructCommandLine& line, const RankRole& role, RunRecord& record) {
    Scan scan = read_scan(line.scan_path, read_options(line, role.reading()));
    read_coil_inputs(scan, line.coil_maps, line.body_coil_path, line.reconstruct.coils);
    line.off_resonance.times_for_gradients = !line.gradients.impulse_response.empty();
    prepare_off_resonance(scan, line.off_resonance, line.reconstruct);
    const RunRecord gradients = correct_gradients(scan, line.gradients);
    if (!gradients.empty()) {
        record["gradients"] = gradients;
    }
    return scan;
}

/// One reconstruction, from its command line to its files.
class CommandRun {
public:
    CommandRun(ReconstructCommandLine& line, RunControl& control, ProcessGroup* group)
        : line_(line), control_(control), group_(group), role_(group) {}

    void run() {
        settle();
        if (group_ == nullptr) {
            show_no_more_gpus_than_needed(line_.device);  // before there are threads, which may look
        }
        if (role_.is_root()) {
            scan_digest_.emplace(line_.scan_path);
        }
        const DeviceStart while_the_host_reads_and_checks(line_.device);
        load();
        check();
        assemble();
        if (role_.is_root()) {
            write_image_ahead(line_, scan_, field_, control_, image_file_);
            coverage_ = coverage_maps(scan_);  // as measured, before the linear part of a field moves it
        }
        std::vector<FrameResult> results = reconstruct(scan_, team_, line_.reconstruct, control_);
        const auto work = [&] { return RankWork{total_.seconds(), group_->waited_seconds(), line_.thread_count}; };
        const RunRecord ranks = group_ != nullptr ? ranks_record(team_, work()) : RunRecord();
        if (role_.is_root()) {
            remove_margin(field_, results);
            scan_.geometry = field_.geometry;
            write(results, ranks);
        }
    }

private:
    /// What is asked for, before anything is read.
    void settle() {
        set_log_level(line_.quiet ? LogLevel::warning : line_.verbose ? LogLevel::debug : LogLevel::info);
        role_.adapt(line_);
        role_.use_fitted_costs(line_);
        if (line_.scan_path.empty()) {
            throw UsageError(
                "a scan is required: recon FILE, or --scan FILE (recon --help lists the options and subcommands)");
        }
        parse_devices(line_.device);
        complete_names(line_);
        require_record_of_report(line_);
        line_.reconstruct.regularisation = read_regularisation(line_.regularisation);
        line_.reconstruct.margin = read_margin(line_.margin, line_.reconstruct, !line_.body_coil_path.empty());
        warn_of_idle_options(line_);
        trust_.emplace(line_.scan_path, line_.trust, line_.gradients, line_.reconstruct.coils, line_.option_names);
        memory_limit_ = line_.memory_limit.empty() ? MemoryBudget::unlimited : parse_memory_size(line_.memory_limit);
        line_.reconstruct.q_cache = cache_options(line_);
        role_.check_outputs_for_all(line_);
        line_.outputs_checked = role_.is_root();
        look_through_inputs(line_);
    }

    void load() {
        {
            const StageScope stage(control_, Stage::read);
            const EndAtOnce while_reading;
            scan_ = load_scan(line_, role_, of_scan_);
        }
        of_scan_["coil_count"] = scan_.coil_count;  // as measured
        role_.hold(scan_, line_, control_);
        if (!line_.reference_path.empty()) {
            reference_ = load_reference(line_.reference_path, scan_);
        }
    }

    void check() {
        const std::unique_ptr<Backend> host = make_backend("cpu", {.thread_count = line_.thread_count});
        host->memory().set_limit(role_.memory_limit(*host, memory_limit_));
        Run before_ranks(*host, only_rank(), control_);
        field_.geometry = scan_.geometry;
        trust_->check(scan_, line_.reconstruct, before_ranks, role_.of_check());
        field_.margin = trust_->margin();
        if (const std::optional<DelayEstimate>& found = trust_->delays()) {
            of_scan_["gradients"].update(delay_record(scan_, found->delays));
            of_scan_["gradients"]["disagreement_before"] = found->disagreement_before;
            of_scan_["gradients"]["disagreement_after"] = found->disagreement_after;
        }
        leave_out_useless_coils();
    }

    void leave_out_useless_coils() {
        const std::vector<Index> useless = trust_->coils_to_leave_out();
        const std::string numbers = role_.as_root(fmt::format("{}", fmt::join(useless, ",")));
        if (!numbers.empty()) {
            log_warning("left out, as they hold no signal or do not fit their maps: coils {} (--no-mending: not)",
                        numbers);
            std::vector<Index>& left_out = line_.reconstruct.coils.left_out;
            std::ranges::copy(parse_coil_list(numbers), std::back_inserter(left_out));
            std::ranges::sort(left_out);
            left_out.erase(std::ranges::unique(left_out).begin(), left_out.end());
        }
    }

    /// The devices, and what they are the first to be asked.
    void assemble() {
        team_ = role_.team(line_);
        for (const auto& backend : team_.backends) {
            log_info("backend: {}", backend->description());
            backend->memory().set_limit(role_.memory_limit(*backend, memory_limit_));
        }
        if (!line_.checkpoint.path.empty()) {
            control_.checkpoint = role_.checkpoint(line_, team_);
        }
        {
            Run before_ranks(team_.first(), only_rank(), control_);
            field_map_check_ = check_off_resonance(scan_, line_.reconstruct.off_resonance, before_ranks);
            trust_->add_field_map(field_map_check_);
        }
        if (role_.as_root(is_refuted(field_map_check_, line_.reconstruct.off_resonance))) {
            leave_out_field_map(scan_, line_.reconstruct.off_resonance);
        }
        if (group_ != nullptr) {
            group_->begin_work();
        }
    }

    RunRecord record_of(const std::vector<FrameResult>& results) {
        RunRecord record = reconstruction_record(team_, results, control_.stages);
        record.update(program_record());
        record.update(of_scan_);
        record["measurement"] = measurement_record(scan_);
        record["options"] = line_.given;
        record["command"] = line_.command;
        record["threads"] = line_.thread_count > 0 ? line_.thread_count : usable_cpu_count();
        if (const auto digest = scan_digest_->text()) {
            record["scan_sha256"] = *digest;
        }
        record["check"] = trust_->record();
        record["margin"] = field_.margin;
        if (!field_map_check_.empty()) {
            record["field_map_check"] = field_map_check_;
        }
        record["memory_forecast_bytes"] = results.front().memory.peak_bytes;
        record["memory_booked_peak_bytes"] = team_.first().memory().peak();
        record["memory_host_bytes"] = results.front().memory.host_bytes;
        record["memory_plan"] = results.front().memory.text();
        return record;
    }

    void write(std::vector<FrameResult>& results, const RunRecord& ranks) {
        for (const FrameResult& result : results) {
            trust_->add(result.findings);
        }
        Image image = take_image(scan_, results, &FrameResult::image);
        std::optional<Image> baseline;
        if (line_.reconstruct.baseline) {
            baseline = take_image(scan_, results, &FrameResult::baseline);
        }
        RunRecord record = record_of(results);
        if (!ranks.empty()) {
            record["ranks"] = ranks;
        }
        if (reference_) {
            record["reference"] = judge_by_reference(image_title(line_.reconstruct.regularisation), image, *reference_);
            if (baseline) {
                record["baseline"] = judge_by_reference("gridding", *baseline, *reference_);
            }
        }
        const RegularisationCommandLine& regularisation = line_.regularisation;
        if (!regularisation.uncertainty_png_path.empty()) {
            write_png(regularisation.uncertainty_png_path, uncertainty_picture(image, results.front().extras));
        }
        if (!regularisation.lambda_png_path.empty()) {
            write_png(regularisation.lambda_png_path, lambda_picture(*results.front().lambda));
        }
        std::vector<NamedArray> extras = take_extras(results);
        std::ranges::move(coverage_, std::back_inserter(extras));
        log_info("data residual |E rho - d| / |d| = {}", data_residual_text(record));
        write_outputs(line_, {image, baseline, reference_, extras}, record, control_, total_.seconds(),
                      image_file_ ? &*image_file_ : nullptr);
        log_info("{} written in {:.2f} s in all{}", line_.out_path, total_.seconds(), summary_text(record));
    }

    ReconstructCommandLine& line_;
    RunControl& control_;
    ProcessGroup* group_;
    Stopwatch total_;
    RankRole role_;  // outlives the scan
    std::optional<Trust> trust_;
    std::size_t memory_limit_ = MemoryBudget::unlimited;
    std::optional<ScanDigest> scan_digest_;  ///< on the root
    Scan scan_;
    FieldInScan field_;
    RunRecord of_scan_ = RunRecord::object();  ///< what was done to it
    std::optional<Image> reference_;
    Team team_;
    RunRecord field_map_check_;
    std::vector<NamedArray> coverage_;
    std::optional<ImageHdf5Writer> image_file_;  ///< begun before there is all of it
};

}  // namespace

void run_reconstruction(ReconstructCommandLine& line, ProcessGroup* group) {
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
        return control.checkpoint && control.checkpoint->is_written()
                   ? fmt::format("; {} holds how far it got, --resume goes on from there", control.checkpoint->path())
                   : std::string();
    };
    try {
        CommandRun(line, control, group).run();
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
    if (control.checkpoint) {
        RankRole(group).remove_checkpoint(*control.checkpoint, line);
    }
}

}  // namespace recon
