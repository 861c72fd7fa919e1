#include "app/reconstruction/off_resonance/off_resonance_preparation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <utility>

#include "app/reconstruction/off_resonance/field_map_check.hpp"
#include "app/reconstruction/off_resonance/own_field_map.hpp"
#include "app/reconstruction/off_resonance/placed_maps.hpp"
#include "core/base/error.hpp"
#include "core/base/log.hpp"
#include "core/base/median.hpp"
#include "core/base/shape.hpp"
#include "core/mri/off_resonance/field_map.hpp"
#include "core/mri/off_resonance/field_map_smoothing.hpp"
#include "core/mri/off_resonance/field_maps_of_slices.hpp"
#include "core/mri/sample_times.hpp"
#include "data/reading/field_map_reader.hpp"

namespace recon {
namespace {

std::string range_text(const FieldMapRange& range, const char* unit) {
    return fmt::format("{:.4g} to {:.4g} {}", range.lowest_hz, range.highest_hz, unit);
}

void take_field_map(Scan& scan, const std::string& name) {
    const StoredMap map = read_field_map(name, scan.geometry.matrix_size);
    PlacedMaps placed = place_maps(scan, map, resample_field_map);
    log_info("field map from {}: {}, {}", map.source, range_text(range_of(map.values), "Hz"), placed.text);
    require_overlap(placed, map, scan.geometry.matrix_size, "field map");
    scan.off_resonance_hz = std::move(placed.values);
    scan.off_resonance_slices = std::move(placed.slices);
}

/// Of the slices that the field map is of, or the other way round, where one of both is of all frames.
void take_r2star_map(Scan& scan, const std::string& name) {
    const bool is_of_scan = !names_a_file(name) && has_array(scan.path, name);
    const StoredMap map = read_r2star_map(is_of_scan ? scan.path + ":/" + name : name, scan.geometry.matrix_size);
    PlacedMaps placed = place_maps(scan, map, [](auto&&... given) { return resample<float>(given...); });
    log_info("R2* map from {}: {}, {}, {:.0f} % of the image outside of it", map.source,
             range_text(range_of(map.values), "1/s"), placed.text, 100 * placed.outside_fraction);
    require_overlap(placed, map, scan.geometry.matrix_size, "R2* map");
    scan.relaxation_rate_per_s = std::move(placed.values);
    if (scan.off_resonance_slices.empty()) {
        scan.off_resonance_slices = std::move(placed.slices);
    }
    for (std::vector<float>* const maps : {&scan.off_resonance_hz, &scan.relaxation_rate_per_s}) {
        repeat_for_slices(*maps, scan.off_resonance_slices, scan.geometry.matrix_size);
    }
}

std::string name_of_map(std::optional<Index> slice) {
    return slice ? fmt::format("field map of slice {}", *slice) : "field map";
}

void extrapolate(std::span<float> map_hz, std::optional<Index> slice, const Geometry& geometry) {
    const FieldMapFit fit = extrapolate_field_map(map_hz, geometry);
    if (fit.measured_fraction == 1) {
        log_info("{}: nothing to continue, it is known on all voxels", name_of_map(slice));
        return;
    }
    log_info(
        "{} continued from {:.0f} % of the voxels: towards the plane of {:.4g} Hz at the centre and {:.4g}, "
        "{:.4g}, {:.4g} Hz a field of view along x, y, z (measured values leave it by {:.3g} Hz rms)",
        name_of_map(slice), 100 * fit.measured_fraction, fit.plane.centre_hz, fit.plane.slope_hz[0],
        fit.plane.slope_hz[1], fit.plane.slope_hz[2], fit.deviation_hz);
}

/// A map that is 0 beyond the object jumps at its rim, which blurs and shifts what is there.
void see_to_rim(Scan& scan, FieldMapOutside outside) {
    double jump_hz = 0;  // of the slice where it is largest
    for_each_field_map(std::as_const(scan), [&](std::span<const float> map_hz, std::optional<Index>) {
        jump_hz = std::max(jump_hz, rim_jump_hz(map_hz, scan.geometry.matrix_size));
    });
    constexpr double turns_that_matter = 0.25;
    const bool jumps = jump_hz * duration_of(scan.frames.front().sample_times_s) > turns_that_matter;
    if (outside == FieldMapOutside::extrapolate || (outside == FieldMapOutside::automatic && jumps)) {
        for_each_field_map(scan, [&](std::span<float> map_hz, std::optional<Index> slice) {
            if (!slice || range_of(map_hz).measured_fraction > 0) {  // of one, it is for the user to know
                extrapolate(map_hz, slice, scan.geometry);
            }
        });
    } else if (jumps) {
        log_warning(
            "the field map is 0 on {:.0f} % of the voxels and jumps by {:.0f} Hz (rms) where they begin; continue it "
            "beyond the object with `field_map_outside` extrapolate",
            100 * (1 - range_of(scan.off_resonance_hz).measured_fraction), jump_hz);
    }
}

void smooth(Scan& scan) {
    constexpr double turns_that_matter = 0.002;
    const double duration_s = duration_of(scan.frames.front().sample_times_s);
    if (!(duration_s > 0) || range_of(scan.off_resonance_hz).measured_fraction == 0) {
        return;
    }
    const double tolerance_hz = turns_that_matter / duration_s;
    FieldMapSmoothing done;
    for_each_field_map(scan, [&](std::span<float> given_hz, std::optional<Index>) {
        if (range_of(given_hz).measured_fraction == 0) {
            return;
        }
        std::vector<float> map_hz(given_hz.begin(), given_hz.end());
        extrapolate_field_map(map_hz, scan.geometry);  // so that rims are among others
        const FieldMapSmoothing of_map = smooth_field_map(map_hz, scan.geometry.matrix_size, tolerance_hz);
        std::ranges::transform(given_hz, map_hz, given_hz.begin(),
                               [](float given, float smooth) { return given != 0 ? smooth : 0; });
        done.spikes += of_map.spikes;
        done.smoothed += of_map.smoothed;
    });
    if (done.spikes + done.smoothed > 0) {
        const auto percent = [&](Index count) {
            return 100 * static_cast<double>(count) / static_cast<double>(scan.off_resonance_hz.size());
        };
        log_info(
            "field map: spikes in {:.2g} % of the voxels set to the median of those around them, noise in {:.2g} % "
            "smoothed, above {:.2g} Hz ({} turns); `field_map_smoothing` none leaves them",
            percent(done.spikes), percent(done.smoothed), tolerance_hz, turns_that_matter);
    }
}

bool is_smoothed(FieldMapSmoothingUse use, const RegularisationOptions& priors) {
    const bool is_plain = priors.scan == ScanPrior::none && priors.terms.empty();
    return use == FieldMapSmoothingUse::always || (use == FieldMapSmoothingUse::automatic && !is_plain);
}

void require_times(const Scan& scan, const OffResonanceSources& sources) {
    const char* option = sources.named_map().empty() ? "`r2star_map`" : "`field_map`";
    for (const Frame& frame : scan.frames) {
        if (frame.sample_times_s.empty()) {
            throw InputError(fmt::format(
                "{}: {} needs the time of every sample, which the scan does not give; give `dwell` (us) and "
                "`echo_time` (ms)",
                scan.path, option));
        }
    }
}

void warn_of_times(const Scan& scan) {
    const Frame& frame = scan.frames.front();
    for (const std::string& doubt : sample_time_doubts(scan, frame)) {
        log_warning("{}: {}", scan.path, doubt);
    }
}

/// Rates that nothing in a scanner has: of a map in another unit, or of T2* itself.
void warn_of_rates(const Scan& scan) {
    std::vector<float> rates;
    std::ranges::copy_if(scan.relaxation_rate_per_s, std::back_inserter(rates), [](float rate) { return rate > 0; });
    if (rates.empty()) {
        return;
    }
    constexpr float slowest_per_s = 1;  // free water decays in two seconds
    const float fastest = std::ranges::max(rates);
    if (fastest < slowest_per_s) {
        log_warning(
            "the R2* map has no rate above {:.3g} 1/s, T2* of {:.3g} s: it is R2* = 1 / T2* in 1/s that is expected, "
            "not T2* nor rates in 1/ms",
            fastest, 1 / fastest);
    }
    const float rate = median(rates);
    const float time_s = median<float>(scan.frames.front().sample_times_s);
    const double decay = rate * time_s;
    constexpr double nothing_left = 7;  // a thousandth
    if (decay > nothing_left) {
        log_warning(
            "the R2* map decays the signal to {:.1g} of itself until half of the samples are taken (median: {:.3g} 1/s "
            "after {:.3g} ms); check its unit (1/s) and that of the sample times (s)",
            std::exp(-decay), rate, 1e3 * time_s);
    }
}

void log_turns(const Scan& scan) {
    const double turns = turns_of_phase(scan);
    log_info("off-resonance: {} over {:.4g} ms of samples, {:.3g} turns of phase",
             range_text(range_of(scan.off_resonance_hz), "Hz"), 1e3 * duration_of(scan.frames.front().sample_times_s),
             turns);
    if (turns < turns_of_nothing) {
        log_warning(
            "the field map changes next to nothing: {:.2g} turns of phase; check the unit of the map (Hz) and of the "
            "sample times (s in files, `dwell` in us)",
            turns);
    }
}

/// The MRD reader looks for the array of this name; the other formats hold one map, which has the usual ones.
bool is_misspelt(const Scan& scan, const std::string& name) {
    constexpr std::array usual{"off_resonance_hz", "field_map_hz", "fieldmap_extrapolated", "fieldmap", "field_map"};
    return scan.format != "MRD" && std::ranges::find(usual, name) == usual.end();
}

SampleTiming timing_of(const OffResonanceSources& sources) {
    SampleTiming timing;
    if (sources.dwell_us) {
        timing.dwell_s = *sources.dwell_us * 1e-6;
    }
    if (sources.echo_time_ms) {
        timing.echo_time_s = *sources.echo_time_ms * 1e-3;
    }
    return timing;
}

/// @throws InputError if there is no such map
void take_named_map(Scan& scan, const std::string& name) {
    if (names_a_file(name)) {
        take_field_map(scan, name);
    } else if (scan.off_resonance_hz.empty() || is_misspelt(scan, name)) {
        throw InputError(fmt::format(
            "{}: has no field map '{}', and there is no such file; recon info lists what is there", scan.path, name));
    } else {
        check_map(scan.off_resonance_hz, scan.path, "the field map");
    }
}

}  // namespace

void prepare_off_resonance(Scan& scan, const OffResonanceSources& sources, ReconstructOptions& all) {
    OffResonanceOptions& options = all.off_resonance;
    const std::string named = sources.named_map();
    const bool may_use_own = sources.field_map == OffResonanceSources::automatic && !scan.off_resonance_hz.empty();
    if ((sources.dwell_us || sources.echo_time_ms) && named.empty() && !may_use_own && sources.r2star_map.empty() &&
        !sources.times_for_gradients) {
        throw UsageError(
            "`dwell` and `echo_time` say when samples were taken, for `field_map`, `r2star_map` or `girf`: "
            "give one of them");
    }
    if (!named.empty()) {
        take_named_map(scan, named);
    }
    if (!sources.r2star_map.empty()) {
        take_r2star_map(scan, sources.r2star_map);
    }
    set_sample_times(scan, timing_of(sources));
    options.only_if_it_fits = may_use_own && is_own_field_map_useful(scan);
    const bool has_map = !named.empty() || options.only_if_it_fits;
    options.correct = has_map || !sources.r2star_map.empty();
    if (!options.correct) {
        return;
    }
    require_times(scan, sources);
    if (has_map) {
        see_to_rim(scan, options.outside);
        if (is_smoothed(options.smoothing, all.regularisation)) {
            smooth(scan);
        }
    } else {
        scan.off_resonance_hz.assign(scan.relaxation_rate_per_s.size(), 0.0F);
    }
    warn_of_times(scan);
    warn_of_rates(scan);
    if (has_map) {
        log_turns(scan);
    }
}

RunRecord check_off_resonance(const Scan& scan, const OffResonanceOptions& options, Run& run) {
    if (!options.correct || options.check == FieldMapCheck::no ||
        range_of(scan.off_resonance_hz).measured_fraction == 0) {
        return RunRecord::object();
    }
    const auto stage = run.stage(Stage::check);
    try {
        FieldMapVerdict verdict = check_field_map(scan, run.backend());
        if (verdict.moves_voxels()) {
            log_info("field map check: a field moves voxels here, and the data tell neither its sign nor its unit");
            return verdict_json(verdict);
        }
        const FieldMapTrial &given = verdict.trials[as_given], &opposite = verdict.trials[opposite_sign];
        log_info(
            "field map check on {}: residual {:.4f}, with the opposite sign {:.4f}; sharpness {:.3f}, with the "
            "opposite sign {:.3f}{}; {:.2f} s",
            Shape::image(verdict.matrix_size).text(), given.residual, opposite.residual, given.sharpness,
            opposite.sharpness, verdict.sign_is_told ? "" : ": the data cannot tell its sign", stage.seconds());
        if (options.only_if_it_fits && verdict.is_unlikely) {
            verdict.warning =
                fmt::format("the scan's own field map is not used (`field_map` NAME would): {}",
                            verdict.warning.empty() ? "its opposite fits a little better" : verdict.warning);
            log_warning("{}", verdict.warning);
        } else if (!verdict.warning.empty()) {
            log_warning("{}", verdict.warning);
        }
        return verdict_json(verdict);
    } catch (const DeviceError& error) {
        log_warning("the field map was not checked: {}", error.what());
        return RunRecord::object();
    }
}

bool is_refuted(const RunRecord& field_map_check, const OffResonanceOptions& options) {
    return options.only_if_it_fits && field_map_check.value("is_unlikely", false);
}

}  // namespace recon
