#include "app/reconstruction/check/scan_check.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/reconstruction/check/coil_order.hpp"
#include "app/reconstruction/check/low_resolution_fit.hpp"
#include "core/base/error.hpp"
#include "core/mri/noise_level.hpp"

namespace recon {
namespace {

using Kind = ScanFix::Kind;

constexpr double as_well = 1.05;  ///< residuals that differ by less say the same

/// "x", "y", "xy", ... of the axes that the image has, at least `fewest` of them together.
std::vector<std::string> axis_sets(const PerAxis<Index>& matrix_size, std::size_t fewest, std::size_t most) {
    std::vector<std::string> sets;
    for (unsigned bits = 1; bits < 8; ++bits) {
        std::string set;
        bool exists = true;
        for (int axis = 0; axis < 3; ++axis) {
            if (bits & (1U << axis)) {
                set += static_cast<char>('x' + axis);
                exists = exists && matrix_size[axis] > 1;
            }
        }
        if (exists && set.size() >= fewest && set.size() <= most) {
            sets.push_back(set);
        }
    }
    return sets;
}

ScanFix along(Kind kind, std::string axes = "") {
    ScanFix fix;
    fix.kind = kind;
    fix.axes = std::move(axes);
    return fix;
}

ScanFix shift_by(Index samples) {
    ScanFix fix = along(Kind::shift);
    fix.samples = samples;
    return fix;
}

ScanFix scale_by(double factor) {
    ScanFix fix = along(Kind::scale);
    fix.factor = factor;
    return fix;
}

/// What is worth a try. Changes that move the whole image and nothing else show against coil maps alone.
std::vector<ScanFix> fixes_to_try(const Scan& probe) {
    std::vector<ScanFix> fixes;
    if (probe.samples_per_readout > 1) {
        fixes.push_back(shift_by(1));
        fixes.push_back(shift_by(-1));
        fixes.push_back(along(Kind::reverse));
        fixes.push_back(along(Kind::alternate));
    }
    for (const double factor : {0.5, 0.5 / pi}) {
        fixes.push_back(scale_by(factor));
    }
    if (probe.coil_maps.empty() || probe.coil_count < 2) {
        return fixes;
    }
    for (const double factor : {2.0, 2 * pi}) {  // few samples are left, which maps of their own would explain
        fixes.push_back(scale_by(factor));
    }
    const PerAxis<Index>& matrix_size = probe.geometry.matrix_size;
    fixes.push_back(along(Kind::conjugate));
    for (const std::string& axes : axis_sets(matrix_size, 1, 3)) {
        fixes.push_back(along(Kind::mirror, axes));
    }
    for (const std::string& axes : axis_sets(matrix_size, 2, 2)) {
        fixes.push_back(along(Kind::swap, axes));
    }
    fixes.push_back(along(Kind::maps_conjugate));
    for (const std::string& axes : axis_sets(matrix_size, 1, 3)) {
        fixes.push_back(along(Kind::maps_mirror, axes));
    }
    return fixes;
}

std::string kind_of(const ScanFix& fix) {
    switch (fix.kind) {
        case Kind::conjugate: return "k_space";
        case Kind::mirror:
        case Kind::swap:
        case Kind::scale: return "trajectory";
        case Kind::shift:
        case Kind::reverse:
        case Kind::alternate: return "readouts";
        default: return "coil_maps";
    }
}

NoiseLevel noise_level(const Scan& scan) {
    if (!scan.noise.empty()) {
        return noise_level_of_acquisition(scan.noise);
    }
    Frame frame = scan.frames.front();
    frame.load();
    return noise_level_of_edges(frame.kspace, *frame.trajectory, scan.geometry.matrix_size, scan.coil_count,
                                scan.samples_per_readout);
}

/// Coils of which no sample, or whose map, is anything but zero.
void find_dead_coils(const Scan& scan, ScanCheck& check) {
    Frame frame = scan.frames.front();
    frame.load();
    const auto dead = [&](std::span<const cfloat> values) {
        const Index length = static_cast<Index>(values.size()) / scan.coil_count;
        std::vector<Index> coils;
        for (Index coil = 0; coil < scan.coil_count; ++coil) {
            const auto part = values.subspan(coil * length, length);
            if (std::all_of(part.begin(), part.end(), [](cfloat value) { return value == cfloat(0); })) {
                coils.push_back(coil);
            }
        }
        return coils;
    };
    const auto say = [&](const std::vector<Index>& coils, const char* what) {
        if (!coils.empty()) {
            check.findings.push_back(
                {"dead_coil",
                 fmt::format("{} of coil{} {} {} zero throughout", what, coils.size() > 1 ? "s" : "",
                             fmt::join(coils, ", "), coils.size() > 1 ? "are" : "is"),
                 ""});
            check.verdict = CheckVerdict::doubtful;
        }
    };
    say(dead(frame.kspace), "k-space");
    if (!scan.coil_maps.empty()) {
        say(dead(scan.coil_maps), "the map");
    }
}

/// The mistakes that explain the data as well as the best does.
std::string also_possible(const ScanCheck& check, const CheckTrial& best) {
    std::vector<std::string> others;
    for (const CheckTrial& trial : check.trials) {
        if (&trial != &best && trial.residual < as_well * best.residual) {
            others.push_back(fmt::format("{} ({})", trial.fix.mistake(), trial.fix.text()));
        }
    }
    return others.empty() ? "" : fmt::format("; or {}: the data cannot tell which", fmt::join(others, ", or "));
}

/// How far a residual is from what noise alone would leave; where the noise is unknown, the residual.
double in_noise(const CheckTrial& trial) { return trial.noise > 0 ? trial.residual / trial.noise : trial.residual; }

/// A wrong reading leaves several times the residual of the right one, in itself or as a multiple of the noise:
/// whatever maps and motion add is in both. One that ends at the noise needs no such distance, because the noise of
/// thousands of samples is the same to a few tenths of a percent.
bool explains_better(const CheckTrial& trial, const ScanCheck& check) {
    constexpr double clearly = 0.75, no_worse = 1.2, at_the_noise = 1.2, beyond_chance = 0.97;
    if (trial.residual < clearly * check.residual) {
        return true;
    }
    if (!(trial.noise > 0) || !(check.noise > 0) || trial.residual > no_worse * check.residual) {
        return false;
    }
    const double of_trial = in_noise(trial), as_it_is = check.residual / check.noise;
    return of_trial < clearly * as_it_is || (of_trial < at_the_noise && of_trial < beyond_chance * as_it_is);
}

/// Of the readings that explain the data better than the scan as it is, and about as well as the best of them, the one
/// nearest the noise; of those that are as near, the first, because the likelier mistakes come first.
const CheckTrial* better_reading(const ScanCheck& check) {
    constexpr double about = 1.5;  // readings that keep other samples have other residuals
    double least = 1, nearest = std::numeric_limits<double>::infinity();
    for (const CheckTrial& trial : check.trials) {
        least = explains_better(trial, check) ? std::min(least, trial.residual) : least;
    }
    const auto is_among_the_best = [&](const CheckTrial& trial) {
        return explains_better(trial, check) && trial.residual <= about * least;
    };
    for (const CheckTrial& trial : check.trials) {
        nearest = is_among_the_best(trial) ? std::min(nearest, in_noise(trial)) : nearest;
    }
    const auto best = std::find_if(check.trials.begin(), check.trials.end(), [&](const CheckTrial& trial) {
        return is_among_the_best(trial) && in_noise(trial) <= as_well * nearest;
    });
    return best == check.trials.end() ? nullptr : &*best;
}

/// Readings that fit as well as the scan as it is: whether they are right cannot be seen.
std::string indistinguishable(const ScanCheck& check) {
    std::vector<std::string> mistakes;
    for (const CheckTrial& trial : check.trials) {
        if (trial.residual < as_well * check.residual) {
            mistakes.push_back(trial.fix.mistake());
        }
    }
    return fmt::format("{}", fmt::join(mistakes, ", or "));
}

void judge(const Scan& probe, ScanCheck& check) {
    const bool maps_are_known = !probe.coil_maps.empty() && probe.coil_count > 1;
    if (const CheckTrial* best = better_reading(check)) {
        check.findings.push_back(
            {kind_of(best->fix),
             fmt::format("it looks as if {} (residual at low resolution {:.4f}, as it is {:.4f}){}",
                         best->fix.mistake(), best->residual, check.residual, also_possible(check, *best)),
             best->fix.text()});
        check.verdict = CheckVerdict::doubtful;
    } else if (constexpr double bad = 0.5; maps_are_known && check.residual > bad && check.residual > 2 * check.noise) {
        check.findings.push_back(
            {"residual",
             fmt::format("no image explains the data: residual at low resolution {:.3f}, of it noise {:.3f}; check "
                         "trajectory, its unit, coil maps and the order of samples",
                         check.residual, check.noise),
             ""});
        check.verdict = CheckVerdict::doubtful;
    }
    if (const std::string mistakes = indistinguishable(check);
        check.verdict == CheckVerdict::fine && !mistakes.empty()) {
        check.findings.push_back(
            {"cannot_tell", fmt::format("the data fit as well if {}: the noise hides the difference", mistakes), ""});
    }
    if (!maps_are_known) {
        check.findings.push_back({"cannot_tell",
                                  "without coil maps that were measured apart, mirrored or exchanged axes, conjugated "
                                  "data and the sign of k cannot be seen in the data: they mirror or turn the image",
                                  ""});
    }
}

}  // namespace

std::string name_of(CheckVerdict verdict) {
    switch (verdict) {
        case CheckVerdict::fine: return "fine";
        case CheckVerdict::doubtful: return "doubtful";
        case CheckVerdict::unusable: return "unusable";
    }
    return "";
}

ScanCheck check_scan_physics(const Scan& scan, Backend& backend) {
    ScanCheck check;
    find_dead_coils(scan, check);
    const Scan probe = calibration_probe(scan);
    check.matrix_size = probe.geometry.matrix_size;
    check.coil_count = probe.coil_count;
    if (std::all_of(probe.frames.front().kspace.begin(), probe.frames.front().kspace.end(),
                    [](cfloat value) { return value == cfloat(0); })) {
        check.verdict = CheckVerdict::unusable;
        return check;
    }
    const double sigma = noise_level(scan).sigma;
    const LowResolutionFit as_it_is = fit_at_low_resolution(probe, backend, sigma);
    check.residual = as_it_is.residual;
    check.noise = as_it_is.noise;
    constexpr double enough_samples = 4;  // few can be explained by any image
    std::vector<ScanFix> fixes = fixes_to_try(probe);
    if (const auto order = likely_coil_order(probe, backend)) {
        fixes.push_back(along(Kind::maps_order));
        fixes.back().order = *order;
    }
    for (const ScanFix& fix : fixes) {
        Scan changed = probe;
        apply(fix, changed);
        const LowResolutionFit fit = fit_at_low_resolution(changed, backend, sigma);
        if (fit.samples_per_voxel > std::min(enough_samples, as_it_is.samples_per_voxel)) {
            check.trials.push_back({fix, fit.residual, fit.noise});
        }
    }
    judge(probe, check);
    return check;
}

}  // namespace recon
