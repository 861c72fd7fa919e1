#include "app/reconstruction/check/scan_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <set>

#include "app/reconstruction/check/coils/coil_gains.hpp"
#include "app/reconstruction/check/coils/coil_order.hpp"
#include "app/reconstruction/check/coils/coils_without_signal.hpp"
#include "app/reconstruction/check/coils/lack_at_centre.hpp"
#include "app/reconstruction/check/coils/odd_coil.hpp"
#include "app/reconstruction/check/delay_finding.hpp"
#include "app/reconstruction/check/despiking.hpp"
#include "app/reconstruction/check/drift_finding.hpp"
#include "app/reconstruction/check/fits/calibration_probe.hpp"
#include "app/reconstruction/check/fits/low_resolution_fit.hpp"
#include "app/reconstruction/check/fits/time_limit.hpp"
#include "app/reconstruction/check/offsets.hpp"
#include "app/reconstruction/check/positions/factor_finding.hpp"
#include "app/reconstruction/check/positions/moved_readouts.hpp"
#include "app/reconstruction/check/reading_judgement.hpp"
#include "app/reconstruction/check/readings.hpp"
#include "core/base/shape.hpp"
#include "core/mri/check/coils/coil_noise.hpp"
#include "core/mri/check/dead_parts.hpp"
#include "core/mri/check/noise_scan.hpp"
#include "core/mri/check/receiver_offset.hpp"
#include "core/mri/check/spikes.hpp"
#include "core/mri/noise/noise_level.hpp"
#include "core/mri/off_resonance/field_map.hpp"

namespace recon {
namespace {

void say(ScanCheck& check, const char* kind, const std::string& text) {
    check.findings.push_back({kind, text, ""});
    check.verdict = CheckVerdict::doubtful;
}

/// What is asked of all coils, wherever they are.
struct Survey {
    CoilNoise noise;
    std::vector<Index> noisy, silent, unseen, deaf, spikes, offset;
    std::string missing_part, noise_scan, no_whitening;
    CalibrationProbe probe;
    std::optional<Scan> sharp;  ///< `sharper` of the probe, where it is looked at
    std::function<Scan()> probe_of_all;

    Survey(const Scan& scan, const Frame& first, const ScanCheckOptions& options, bool is_sharp) {
        const PerAxis<Index>& matrix_size = scan.geometry.matrix_size;
        const AllCoils kspace(scan, first.kspace);
        noise = coil_noise(kspace, *first.trajectory, matrix_size, scan.samples_per_readout);
        noise.leave_out(options.left_out);
        noisy = noisy_coils(noise);
        if (!scan.coil_maps.empty()) {
            unseen = coils_of_zeros({scan, scan.coil_maps});
            deaf = coils_without_signal(scan, first, noise);
        }
        std::set<Index> all_useless;
        for (const std::vector<Index>& some : {options.left_out, noisy, unseen, deaf}) {
            all_useless.insert(some.begin(), some.end());
        }
        const std::vector<Index> useless(all_useless.begin(), all_useless.end());
        probe = calibration_probe(scan, first, ProbeCoils::strongest, useless);
        if (is_sharp) {
            sharp = sharper(probe, scan);
        }
        silent = coils_of_zeros(kspace);
        missing_part = part_of_zeros(kspace);
        noise_scan = mistake_of_noise_scan(scan, first);
        no_whitening = obstacle_to_whitening(scan);
        const std::vector<Index> none;
        spikes =
            options.is_despiked ? none : find_spikes(kspace, *first.trajectory, matrix_size, scan.samples_per_readout);
        offset = options.is_without_offsets ? none : coils_of(receiver_offsets(kspace, *first.trajectory, matrix_size));
        probe_of_all = [&] { return calibration_probe(scan, first, ProbeCoils::all, {}).scan; };
        if (scan.parts) {  // other processes answer now or never
            probe_of_all = [all = probe_of_all()] { return all; };
        }
    }
};

/// What the numbers of the first frame show by themselves.
void look_at_parts(const Scan& scan, const Frame& first, const Survey& survey, Backend& backend, ScanCheck& check) {
    if (!survey.silent.empty()) {
        say(check, "dead_coil",
            fmt::format("k-space of {} is zero throughout: a reconstruction leaves that out",
                        numbered("coil", survey.silent)));
    }
    if (!survey.unseen.empty()) {
        say(check, "dead_coil",
            fmt::format("the map of {} is zero throughout: a reconstruction leaves that out",
                        numbered("coil", survey.unseen)));
    }
    if (!survey.missing_part.empty()) {
        say(check, "k_space",
            fmt::format("the {} part of every sample is zero: half of what was measured is missing (k-space is "
                        "complex)",
                        survey.missing_part));
    }
    if (!survey.noise_scan.empty()) {
        say(check, "noise_scan", survey.noise_scan + "; a reconstruction finds the level in the scan");
    }
    if (!survey.no_whitening.empty()) {
        say(check, "noise_scan", survey.no_whitening + "; a reconstruction does not prewhiten the coils");
    }
    if (const std::string gap = lack_at_centre(scan, first, backend); !gap.empty()) {
        say(check, "centre_gap", gap);
    }
    if (!survey.noisy.empty()) {
        say(check, "noisy_coil",
            fmt::format("{}: five times the noise of the others, and little else (`drop_coils` auto leaves that out)",
                        numbered("coil", survey.noisy)));
    }
    if (!survey.offset.empty()) {
        add_doubts({offset_finding(survey.offset, "(`remove_offset` subtracts it)")}, check);
    }
    if (!survey.spikes.empty()) {
        add_doubts({spike_finding(scan, 0, survey.spikes, "(`despike` leaves them out)")}, check);
    }
}

/// Of a sample of these coils. Coils that are strong in a probe, by their gain, have more noise than the scan's coils
/// on the average.
double noise_of_coils(const Scan& scan, const Survey& survey, const std::vector<Index>& coils) {
    if (scan.noise.empty() || !survey.noise_scan.empty()) {
        return survey.noise.mean_sigma(coils);
    }
    return noise_level_of_acquisition(numbers_of_coils(scan.noise, scan.coil_count, coils)).sigma;
}

/// Whether noise and low resolution alone leave that much.
bool is_explained(const LowResolutionFit& fit, bool maps_are_known) {
    constexpr double bad = 0.5;
    return fit.residual < bad && unexplained(fit.residual, fit.noise) < explained_but_for(maps_are_known);
}

/// Whether its field map makes more than a turn of phase over the samples.
bool has_strong_field(const Scan& scan, const Frame& first) {
    if (scan.off_resonance_hz.empty() || first.sample_times_s.empty()) {
        return false;
    }
    const FieldMapRange range = range_of(scan.off_resonance_hz);
    return (range.highest_hz - range.lowest_hz) * duration_of(first.sample_times_s) > 1;
}

/// Whether the reading that is named leaves about as much as the noise, and a little that is of the low resolution.
bool leaves_noise_alone(const std::vector<CheckTrial>& trials, const std::string& named) {
    constexpr double nearly = 2;
    return std::ranges::any_of(
        trials, [&](const CheckTrial& one) { return one.fix.text() == named && one.residual < nearly * one.noise; });
}

/// The scan as it would be with another order of the maps, if one is likely.
std::optional<std::pair<ScanFix, Scan>> other_order(Scan all_coils, Backend& backend) {
    const auto order = likely_coil_order(all_coils, backend);
    if (!order) {
        return std::nullopt;
    }
    ScanFix fix;
    fix.kind = ScanFix::Kind::maps_order;
    fix.order = *order;
    apply(fix, all_coils);
    drop_coils(all_coils, weaker_coils(all_coils));
    return std::pair(fix, std::move(all_coils));
}

void try_readings(const Survey& survey, LowResolutionFits& fits, Backend& backend, const ScanCheckOptions& options,
                  const TimeLimit& limit, ScanCheck& check) {
    const Scan& probe = survey.probe.scan;
    constexpr double enough_samples = 4, fewest_samples = 1.5;  // a voxel: few can be explained by any image
    const auto try_one = [&](const ScanFix& fix, const Scan& changed) {
        const LowResolutionFit fit = fits.fit(changed);
        if (fit.samples_per_voxel >= std::max(fewest_samples, std::min(enough_samples, check.samples_per_voxel))) {
            check.trials.push_back({fix, fit.residual, fit.noise, fit.samples_per_voxel});
        }
    };
    for (const ScanFix& fix : readings_to_try(probe)) {
        if (limit.is_over()) {
            check.out_of_time = true;
            return;
        }
        Scan changed = probe;
        apply(fix, changed);
        try_one(fix, changed);
    }
    if (probe.coil_maps.empty() || probe.coil_count < 2 || !options.left_out.empty()) {
        return;
    }
    check.out_of_time = limit.is_over();
    if (!check.out_of_time) {
        if (const auto other = other_order(survey.probe_of_all(), backend)) {
            try_one(other->first, other->second);
        }
    }
}

}  // namespace

void add_doubts(const std::vector<CheckFinding>& doubts, ScanCheck& check) {
    check.findings.insert(check.findings.begin(), doubts.begin(), doubts.end());
    if (!doubts.empty() && check.verdict == CheckVerdict::fine) {
        check.verdict = CheckVerdict::doubtful;
    }
}

std::string residual_text(const ScanCheck& check) {
    const std::string noise = check.noise == 0               ? "its noise unknown"
                              : check.noise > check.residual ? "no more than noise may be"
                                                             : fmt::format("of it noise {:.4f}", check.noise);
    return fmt::format("residual {:.4f} at {}, {}", check.residual, Shape::image(check.matrix_size).text(), noise);
}

ScanCheck check_scan_physics(const Scan& scan, Backend& backend, const ScanCheckOptions& options) {
    ScanCheck check;
    std::optional<Frame> loaded;
    if (scan.frames.front().kspace.empty()) {
        loaded = scan.frames.front();
        loaded->load();
    }
    const Frame& first = loaded ? *loaded : scan.frames.front();
    const bool all = options.readings == ScanCheckOptions::Readings::all;  // else sharper fits of volumes take too long
    Survey survey(scan, first, options, all || scan.geometry.matrix_size[2] == 1);
    check.useless_coils = survey.deaf;
    if (!options.judge) {
        return check;
    }
    const Scan& probe = survey.probe.scan;
    check.matrix_size = probe.geometry.matrix_size;
    if (std::ranges::all_of(probe.frames.front().kspace, [](cfloat value) { return value == cfloat(0); })) {
        check.verdict = CheckVerdict::unusable;
        return check;
    }
    look_at_parts(scan, first, survey, backend, check);
    survey.noise.leave_out(survey.noisy);
    const TimeLimit limit(options.most_seconds);
    LowResolutionFits fits(backend, noise_of_coils(scan, survey, survey.probe.coils));
    const LowResolutionFit as_it_is = fits.fit(probe);
    check.residual = as_it_is.residual;
    check.noise = as_it_is.noise;
    check.samples_per_voxel = as_it_is.samples_per_voxel;
    const bool maps_are_known = !probe.coil_maps.empty() && probe.coil_count > 1;
    if (survey.missing_part.empty() && (all || !is_explained(as_it_is, maps_are_known))) {  // else that is it
        try_readings(survey, fits, backend, options, limit, check);
    }
    const auto before = std::ssize(check.findings);
    judge_readings(maps_are_known, check, has_strong_field(scan, first));
    const bool is_fine = verdict_of({check.findings.begin() + before, check.findings.end()}) == CheckVerdict::fine;
    const bool is_settled = !is_fine && leaves_noise_alone(check.trials, check.findings[before].fix);
    const auto has_a_reason = [&] {
        return std::any_of(check.findings.begin() + before, check.findings.end(),
                           [](const auto& found) { return found.kind != "cannot_tell" && found.kind != "residual"; });
    };
    const auto take = [&](const std::optional<CheckFinding>& reason) {  // instead of readings, which explain less
        if (reason) {
            check.findings.erase(std::remove_if(check.findings.begin() + before, check.findings.end(),
                                                [](const auto& found) { return found.kind != "cannot_tell"; }),
                                 check.findings.end());
            check.findings.push_back(*reason);
            check.verdict = verdict_of(check.findings);
        }
        return reason.has_value();
    };
    const auto take_odd_coil = [&] {
        const std::optional<OddCoil> odd = odd_coil(survey.probe, fits, as_it_is);
        if (odd) {
            check.useless_coils.push_back(odd->number);
        }
        return odd && take(odd->finding);
    };
    const bool is_late = !is_settled && !options.is_on_time && take(gradient_delay_finding(scan, first, backend));
    constexpr double far_from_noise = 2;
    const bool has_odd_coils =
        (!is_fine || (!is_explained(as_it_is, maps_are_known) && as_it_is.in_noise() > far_from_noise)) &&
        (take(coil_gain_finding(survey.probe, fits, backend, as_it_is)) || take_odd_coil());
    if (survey.sharp && !is_settled && !is_late && !has_odd_coils) {
        LowResolutionFits sharp_fits(backend, noise_of_coils(scan, survey, survey.probe.coils), FitDetail::sharp);
        const LowResolutionFit sharp = sharp_fits.fit(*survey.sharp);
        if (!is_at_the_noise(sharp) && !leaves_nothing(sharp)) {
            take(moved_readouts_finding(survey.probe, *survey.sharp, *first.trajectory, sharp_fits, sharp, limit));
        }
        if (!has_a_reason() && maps_are_known && !leaves_nothing(sharp)) {
            take(factor_finding(*survey.sharp, sharp, backend, limit));
        }
    }
    if (!has_a_reason() && !is_explained(as_it_is, maps_are_known)) {
        take(drift_finding(survey.probe, scan.geometry, fits, as_it_is, maps_are_known, limit));
    }
    if (!has_a_reason()) {
        remark_on_rest(maps_are_known, check);
    }
    return check;
}

}  // namespace recon
