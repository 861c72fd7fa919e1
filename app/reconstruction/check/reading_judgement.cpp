#include "app/reconstruction/check/reading_judgement.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/reconstruction/check/fits/low_resolution_fit.hpp"
#include "app/reconstruction/check/readings.hpp"

namespace recon {
namespace {

constexpr double as_well = 1.05;  ///< residuals that differ by less say the same

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
double in_noise(double residual, double noise) { return noise > 0 ? residual / noise : residual; }
double in_noise(const CheckTrial& trial) { return in_noise(trial.residual, trial.noise); }

bool reorders_samples(const ScanFix& fix) {
    return fix.kind == ScanFix::Kind::shift || fix.kind == ScanFix::Kind::reverse ||
           fix.kind == ScanFix::Kind::alternate;
}

/// A wrong reading leaves several times what the right one leaves, in itself or as a multiple of the noise: whatever
/// maps and motion add is in both. What noise does not explain has to be less too, because a reading that keeps the
/// centre of k-space alone has less noise, right or wrong; but for one that ends at the noise, as no wrong one does: a
/// wrong order of samples spoils the estimate of the noise itself. A scan whose own residual is at the noise is
/// explained: what other samples leave is no better; nor is it where that is near, and they are further from theirs;
/// nor is another order that leaves as much noise, whatever part of the signal it takes into the centre of k-space, but
/// where there is mere noise as it is; nor any other order where as it is even less is left than the noise.
/// The centre of k-space alone leaves less by itself: where it is further from its noise it has to leave half. Nor
/// needs one of the same samples that distance, where both are near the noise: that of thousands of samples is the same
/// to a few tenths of a percent. A smaller k is never of the same samples, however many there are: the image has more
/// voxels than they tell of, and explains more; so do maps of its own, which are then of a larger part of k-space. But
/// where k is too large the centre of k-space alone was kept, with little noise: the right reading leaves more, which
/// is noise. An order of the samples that takes the signal out of the centre of k-space leaves noise there, and
/// explains that. The numbers are of docs/check.md.
bool explains_better(const CheckTrial& trial, const ScanCheck& check, bool maps_are_known) {
    constexpr double no_worse = 1.2, at_the_noise = 1.05, far_from_it = 1.3, near_the_noise = 1.1, beyond_chance = 0.97,
                     below_the_noise = 0.95, mere_noise = 0.7;
    const bool has_freedom = trial.fix.kind == ScanFix::Kind::scale && trial.fix.factor < 1;
    const bool keeps_the_centre = trial.fix.kind == ScanFix::Kind::scale && trial.fix.factor > 1;
    const bool is_further = in_noise(trial) > in_noise(check.residual, check.noise);
    const double clearly = (has_freedom && !maps_are_known) || (keeps_the_centre && is_further) ? 0.5 : 0.75;
    const bool is_clear = trial.residual < clearly * check.residual;
    if (has_freedom && !maps_are_known && unexplained(check.residual, check.noise) < explained_but_for(false)) {
        return false;
    }
    if (!(trial.noise > 0) || !(check.noise > 0)) {
        return is_clear;
    }
    const double of_trial = in_noise(trial), as_it_is = in_noise(check.residual, check.noise);
    const bool has_same_samples =
        !has_freedom && std::abs(trial.samples_per_voxel / check.samples_per_voxel - 1) < 0.02;
    if (!has_same_samples && (as_it_is < at_the_noise || (as_it_is < near_the_noise && is_further))) {
        return false;
    }
    if (as_it_is < at_the_noise && check.noise < mere_noise && of_trial > beyond_chance * as_it_is) {
        return false;
    }
    if (reorders_samples(trial.fix) &&
        (trial.noise > mere_noise || trial.residual > check.residual || as_it_is < below_the_noise)) {
        return false;
    }
    const bool explains_more =
        unexplained(trial.residual, trial.noise) < clearly * unexplained(check.residual, check.noise);
    if (is_clear && (explains_more || of_trial < at_the_noise)) {
        return true;
    }
    if (has_freedom && maps_are_known && explains_more && of_trial < at_the_noise && as_it_is > far_from_it) {
        return true;
    }
    if (trial.residual > no_worse * check.residual) {
        return false;
    }
    return (explains_more && of_trial < clearly * as_it_is) ||
           (has_same_samples && of_trial < near_the_noise && of_trial < beyond_chance * as_it_is);
}

/// Of the readings that explain the data better than the scan as it is, and about as well as the best of them, the one
/// nearest the noise; of those that are as near, the first, because the likelier mistakes come first.
const CheckTrial* better_reading(const ScanCheck& check, bool maps_are_known) {
    constexpr double about = 1.5;  // readings that keep other samples have other residuals
    double least = 1, nearest = std::numeric_limits<double>::infinity();
    for (const CheckTrial& trial : check.trials) {
        least = explains_better(trial, check, maps_are_known) ? std::min(least, trial.residual) : least;
    }
    const auto is_among_the_best = [&](const CheckTrial& trial) {
        return explains_better(trial, check, maps_are_known) && trial.residual <= about * least;
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

}  // namespace

void judge_readings(bool maps_are_known, ScanCheck& check, bool has_strong_field) {
    if (const CheckTrial* best = better_reading(check, maps_are_known)) {
        check.findings.push_back(
            {kind_of(best->fix),
             fmt::format("it looks as if {} (residual at low resolution {:.4f}, as it is {:.4f}){}",
                         best->fix.mistake(), best->residual, check.residual, also_possible(check, *best)),
             best->fix.text()});
        check.verdict = CheckVerdict::doubtful;
    } else if (const double bad = maps_are_known ? 0.5 : 0.7;
               check.residual > bad && check.residual > 2 * check.noise) {
        const std::string left =
            fmt::format("residual at low resolution {:.3f}, of it noise {:.3f}", check.residual, check.noise);
        if (has_strong_field) {
            check.findings.push_back(
                {"cannot_tell",
                 fmt::format("without the field map, which this check does not use, no image explains the data: {}",
                             left),
                 ""});
        } else {
            check.findings.push_back(
                {"residual",
                 fmt::format("no image explains the data: {}; check trajectory, its unit, coil maps "
                             "and the order of samples",
                             left),
                 ""});
            check.verdict = CheckVerdict::doubtful;
        }
    }
    if (const std::string mistakes = indistinguishable(check);
        check.verdict == CheckVerdict::fine && !mistakes.empty()) {
        check.findings.push_back(
            {"cannot_tell", fmt::format("the data fit as well if {}: they do not tell which", mistakes), ""});
    }
    if (!maps_are_known) {
        check.findings.push_back({"cannot_tell",
                                  "without coil maps that were measured apart, mirrored or exchanged axes, conjugated "
                                  "data, the sign of k and a scale that is a few percent off cannot be seen in the "
                                  "data: they mirror, turn or stretch the image",
                                  ""});
    }
}

void remark_on_rest(bool maps_are_known, ScanCheck& check) {
    if (const double rest = unexplained(check.residual, check.noise);
        check.verdict == CheckVerdict::fine && check.noise > 0 && rest > explained_but_for(maps_are_known)) {
        check.findings.push_back(
            {"cannot_tell",
             fmt::format("{:.0f} % of the data at low resolution are neither image nor noise, and none of the usual "
                         "mistakes explains more: the field, motion, decay, or a mistake of another kind",
                         100 * rest),
             ""});
    }
}

}  // namespace recon
