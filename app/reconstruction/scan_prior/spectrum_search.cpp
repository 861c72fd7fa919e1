#include "app/reconstruction/scan_prior/spectrum_search.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/reconstruction/scan_prior/terms/term_levels.hpp"
#include "core/base/log.hpp"

namespace recon {
namespace {

constexpr int most_turns = 5;
constexpr double least_part = 1e-5;     ///< of the data's rms that noise is
constexpr double settled_noise = 0.06;  ///< relative change of sigma^2 that ends the turns
/// Eigenvalues of the prior, in units of those of the data, that leave nothing of an image. More, as beyond the band
/// that was measured, is for no solver: what preconditioners let through to voxels that are not solved for is
/// multiplied by that (docs/decisions/0036-bound-of-the-prior.md).
constexpr double nothing = 1e3;
constexpr double settled_errors = 0.25;  ///< and of that of the errors where the signal is largest

/// The noise to begin with, and bounds of what is found: a noise that is given stays; else it is no less than that of
/// noise acquisitions, nor than what sums and solutions are good to.
FoundSpectrum start_noise(const ScanEvidence& evidence) {
    FoundSpectrum found;
    const auto stage = evidence.problem.context().run.stage(Stage::start);
    const ReconstructionContext& context = evidence.problem.context();
    const std::optional<double> given = context.options.regularisation.lambda.noise_sigma;
    const double rms = evidence.statistics.rms_of_data();
    const double least = std::max(least_part * rms, least_sigma(evidence));
    found.level = given ? NoiseLevel{*given, "given"} : first_noise(evidence.problem);
    found.noise.white = std::pow(found.level.sigma > 0 ? std::max(found.level.sigma, least) : 0.1 * rms, 2);
    found.first_variance = std::pow(std::max(found.level.sigma, least_part * rms), 2);
    if (given) {
        found.bounds = {found.noise.white, found.noise.white};
        return found;
    }
    found.expected_sigma = context.scan.noise.empty() ? 0 : found.level.sigma;
    found.bounds = {std::pow(std::max(found.expected_sigma, least), 2), std::pow(rms, 2)};
    return found;
}

/// sigma^2 of the data. Solutions may have to take it for more, and what lies between is signal.
double variance_in_shells(const ScanEvidence& evidence, const FoundSpectrum& found) {
    return is_at_precision(evidence, found.noise) ? std::min(found.first_variance, found.noise.white)
                                                  : found.noise.white;
}

/// Step 1: the prior of the noise as it is now.
void find_prior(const ScanEvidence& evidence, FoundSpectrum& found, ScanSolutions& solutions) {
    const auto stage = evidence.problem.context().run.stage(Stage::start);
    FrameSpectrum spectrum = spectrum_of(evidence.statistics, variance_in_shells(evidence, found));
    found.power = std::move(spectrum.power);
    found.frame_count = spectrum.frame_count;
    begin_spectrum(evidence, found, solutions);
    found.noise_draw.emplace(evidence.draws->of_data(0, found.noise, *found.power));
}

/// Image and sample of the error under that prior.
void solve(const ScanEvidence& evidence, const FoundSpectrum& found, ScanSolutions& solutions) {
    const auto solve_both = [&] {
        solutions.solve_image(turn_accuracy, "spectrum prior");
        solutions.sample_error(0, *found.noise_draw);
    };
    solve_both();
    if (!solutions.interrupted() && evidence.problem.context().run.decided("rest deceives", [&] {
            return solutions.rest_deceives() || !evidence.problem.backend().computes();
        })) {
        log_debug("scan prior: solutions that seem to rest do not; on with tighter ones");
        solutions.tighten();
        solve_both();
    }
}

/// Step 2: the noise that the image leaves over and has taken.
ScanNoise find_noise(const ScanEvidence& evidence, const ScanSolutions& solutions, FoundSpectrum& found) {
    const auto stage = evidence.problem.context().run.stage(Stage::start);
    const std::vector<double> residuals = residual_of_shells(evidence.problem, evidence.statistics, solutions.image());
    found.balance.emplace(evidence.statistics, std::accumulate(residuals.begin(), residuals.end(), 0.0),
                          noise_taken(evidence.problem, solutions.error(), *found.noise_draw));
    found.energy = found.balance->energy();
    std::vector<double> freedom = taken_in_shells(evidence.statistics.shells, found.term.grid, evidence.shell_of_grid,
                                                  evidence.of_data, *found.term.spectrum, evidence.solved_count);
    return found_noise(*found.balance, residuals, std::move(freedom), found.noise, *found.power, found.bounds);
}

bool is_settled(const ScanEvidence& evidence, const FoundSpectrum& found, const ScanNoise& left) {
    const double largest_signal = evidence.statistics.signal_share() * found.power->power().front();
    return std::abs(left.white / found.noise.white - 1) < settled_noise &&
           std::abs(left.variance(largest_signal) / found.noise.variance(largest_signal) - 1) < settled_errors;
}

void say_where_precision_ends(const ScanEvidence& evidence, const ScanNoise& noise) {
    if (is_at_precision(evidence, noise)) {
        const double least = least_sigma(evidence);
        const Precision precision = evidence.problem.context().options.precision;
        log_info("scan prior: noise below {:.3g} is taken for that, as {} precision tells no less{}", least,
                 name_of(precision), precision == Precision::single ? "; see `precision` double" : "");
    }
}

}  // namespace

NoiseBalance balance_of(const ScanEvidence& evidence, const FoundSpectrum& found, const Array& first,
                        const ScanSolutions& solutions) {
    return balance_beside(evidence.problem, *found.balance, first, solutions.image(), solutions.error(),
                          *found.noise_draw);
}

bool is_at_precision(const ScanEvidence& evidence, const ScanNoise& noise) {
    return noise.white <= std::pow(least_sigma(evidence), 2) * (1 + 1e-9);
}

void begin_spectrum(const ScanEvidence& evidence, FoundSpectrum& found, ScanSolutions& solutions) {
    const ScanStatistics& statistics = evidence.statistics;
    solutions.end_prior();
    found.term = spectrum_term(evidence.problem, evidence.k_per_mm, *found.power, statistics.weighted(found.noise),
                               statistics.signal_share(), evidence.solved_count, nothing * evidence.mean_of_data());
    found.term.levels =
        levels_of_even_term(evidence.problem, evidence.priors.support.get(), evidence.sensitivity_or_null());
    solutions.begin_prior(found.term, found.noise.white);
    found.term.levels.clear();
    found.term.term.w.reset();  // their memory is the solutions' to give back
}

void take_turns(const ScanEvidence& evidence, ScanSolutions& solutions, FoundSpectrum& found) {
    for (int turn = 1;; ++turn) {
        find_prior(evidence, found, solutions);
        if (++found.turns == 1) {
            solutions.start_image();
        }
        solve(evidence, found, solutions);
        if (solutions.interrupted()) {
            break;
        }
        solutions.note_error(norm(solutions.error()));
        const ScanNoise left = find_noise(evidence, solutions, found);
        log_debug(
            "scan prior: turn {}: sigma {:.4g}, found {:.4g} and {:.2g} of the signal, {} iterations, "
            "predicted error {:.4f}",
            found.turns, std::sqrt(found.noise.white), std::sqrt(left.white), std::sqrt(left.relative),
            solutions.iterations(), norm(solutions.error()) / norm(solutions.image()));
        const bool is_last = evidence.problem.context().run.decided("noise is settled", [&] {
            return is_settled(evidence, found, left) && evidence.problem.backend().computes();
        });
        if (is_last || turn == most_turns) {
            break;
        }
        solutions.scale_error(std::sqrt(left.white / found.noise.white));
        found.noise = left;
    }
    {
        const auto stage = evidence.problem.context().run.stage(Stage::start);
        found.response = response_moments(evidence.of_data, found.term);
    }
    say_where_precision_ends(evidence, found.noise);
    found.level.sigma = std::sqrt(found.noise.white);
}

FoundSpectrum find_spectrum(const ScanEvidence& evidence, ScanSolutions& solutions) {
    FoundSpectrum found = start_noise(evidence);
    take_turns(evidence, solutions, found);
    return found;
}

}  // namespace recon
