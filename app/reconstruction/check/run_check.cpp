#include "app/reconstruction/check/run_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "app/reconstruction/check/delay_finding.hpp"
#include "app/reconstruction/check/despiking.hpp"
#include "app/reconstruction/check/fix_advice.hpp"
#include "app/reconstruction/check/left_out_samples.hpp"
#include "app/reconstruction/check/offsets.hpp"
#include "app/reconstruction/frames/frame_series.hpp"
#include "app/reconstruction/margin/room.hpp"
#include "core/base/error.hpp"
#include "core/base/log.hpp"
#include "core/base/number_text.hpp"
#include "core/base/shape.hpp"
#include "core/mri/check/coils/coil_noise.hpp"

namespace recon {
namespace {

void drop_noisy(const Scan& scan, CoilOptions& coils, RunCheck& result) {
    const Frame& first = scan.frames.front();
    const std::vector<Index> noisy = noisy_coils(
        coil_noise({scan, first.kspace}, *first.trajectory, scan.geometry.matrix_size, scan.samples_per_readout));
    if (!noisy.empty()) {
        result.applied.push_back(fmt::format("{} left out: noise", numbered("coil", noisy)));
        log_warning("{}", result.applied.back());
        std::set<Index> all(coils.left_out.begin(), coils.left_out.end());
        all.insert(noisy.begin(), noisy.end());
        coils.left_out.assign(all.begin(), all.end());
    }
}

void log_check(const ScanCheck& check, const CheckOptions& options, bool maps_are_known, double seconds) {
    log_info("check: {}; {} tried; {}{}; {:.2f} s", residual_text(check),
             counted(static_cast<Index>(check.trials.size()), "other reading"), name_of(check.verdict),
             maps_are_known || check.verdict != CheckVerdict::fine
                 ? ""
                 : ", as far as can be seen without coil maps: not whether it is conjugated, mirrored or stretched",
             seconds);
    for (const CheckFinding& finding : check.findings) {
        if (finding.kind == "cannot_tell") {
            log_debug("check: {}", finding.text);
        } else if (finding.kind != "dead_coil" && finding.kind != "dead_readout" &&
                   finding.kind != "noise_scan") {  // said when they are left out
            const std::string mending = fix_advice(finding.fix, options.fixes);
            log_warning("check: {}{}", finding.text, mending.empty() ? "" : fmt::format(" (mended by: {})", mending));
        }
    }
    if (check.out_of_time) {
        log_info("check: not all readings were tried in {} s; recon check tries all", options.most_seconds);
    }
}

}  // namespace

RunCheck check_before_run(Scan& scan, CoilOptions& coils, const MarginOptions& margin, const CheckOptions& options,
                          Run& run) {
    RunCheck result;
    if (coils.method || !coils.body_coil_image.empty()) {
        scan.coil_maps.clear();
        scan.read_coil_maps = nullptr;
    }
    for (const ScanFix& fix : options.fixes) {
        result.applied.push_back("fix " + fix.text());
        if (fix.is_of_maps()) {
            apply(fix, scan);
            log_info("fix {} applied: {}", fix.text(), fix.mistake());
        }
    }
    if (!first_frame_fits(scan)) {
        return result;
    }
    {
        const auto stage = run.stage(Stage::read);
        scan.frames.front().load();
    }
    const auto stage = run.stage(Stage::check);
    const LeftOutSamples left_out = leave_out_unmeasured(scan);
    result.applied.insert(result.applied.end(), left_out.texts.begin(), left_out.texts.end());
    std::vector<CheckFinding> mended;
    if (options.offsets != Mending::none) {
        mended = subtract_offsets(scan, options.offsets, result.applied);
    }
    if (options.spikes != Mending::none) {
        std::ranges::move(despike(scan, options.spikes, result.applied), std::back_inserter(mended));
    }
    if (options.delays != Mending::none) {
        CorrectedDelays corrected = correct_delays(scan, options.delays, run.backend(), result.applied);
        result.delays = corrected.estimate;
        std::ranges::move(corrected.findings, std::back_inserter(mended));
    }
    if (options.drop_noisy) {
        drop_noisy(scan, coils, result);
    }
    result.margin = make_room(scan, margin, run.backend());
    if (options.look) {
        try {
            result.scan = check_scan_physics(
                scan, run.backend(),
                {ScanCheckOptions::Readings::if_unexplained, options.most_seconds, coils.left_out, options.judge,
                 options.spikes != Mending::none, options.offsets != Mending::none, options.delays != Mending::none});
            add_findings(left_out, result.scan);
            add_doubts(mended, result.scan);
            result.looked = options.judge;
            if (options.judge) {
                log_check(result.scan, options, !scan.coil_maps.empty(), stage.seconds());
            }
        } catch (const DeviceError& error) {
            log_warning("the scan was not checked: {}", error.what());
        }
    }
    return result;
}

}  // namespace recon
