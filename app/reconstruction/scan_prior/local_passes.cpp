#include "app/reconstruction/scan_prior/local_passes.hpp"

#include <algorithm>
#include <cmath>

#include "app/reconstruction/scan_prior/local_term.hpp"
#include "core/base/log.hpp"
#include "core/base/ordered_sum.hpp"

namespace recon {
namespace {

constexpr int most_local_passes = 4;
constexpr double settled_image = 0.1;    ///< change of the image by a pass that ends them, in units of its error
constexpr double trusted_edges = 0.15;   ///< error of an image whose edges may be read once more, as a part of it
constexpr double least_of_change = 0.8;  ///< energy of the error, in units of that of what the local pass changed
constexpr double agreeing = 0.7;         ///< two estimates of an error that are no further apart
constexpr double edges_found = 0.125;    ///< energy that a pass changes where there are edges, in units of the error's

/// sigma^2 where the spectrum decides: between frequencies that the data give, and those that they do not.
double deciding_variance(const ScanEvidence& evidence, const FoundSpectrum& found) {
    const std::vector<double>& of_data = evidence.of_data;
    const auto weight = [&](Index i) {
        const double response = of_data[i] / (of_data[i] + found.term.spectrum[i]);
        return response * (1 - response);
    };
    const double weights = ordered_sum(std::ssize(of_data), weight);
    const double sum = ordered_sum(
        std::ssize(of_data), [&](Index i) { return weight(i) * found.term.deviations[i] * found.term.deviations[i]; });
    return weights > 0 ? sum / weights : evidence.statistics.weighted(found.noise).white;
}

LocalVariance variance_shown(const FrameProblem& problem, const ScanSolutions& solutions) {
    const FiniteDifferences gradient = plain_gradient(problem);
    const auto differences_of = [&](ConstArrayView x) {
        Array differences(problem.backend(), gradient.codomain(), gradient.precision());
        gradient.forward(x, differences);
        return differences;
    };
    Array of_image = differences_of(solutions.image()), of_error = differences_of(solutions.error());
    return local_variance(of_image, of_error);
}

void begin_pass(const ScanEvidence& evidence, const FoundSpectrum& found, ScanSolutions& solutions, LocalPrior& local) {
    const auto stage = evidence.problem.context().run.stage(Stage::start);
    local.variance.reset();
    local.variance.emplace(variance_shown(evidence.problem, solutions));
    solutions.end_prior();
    solutions.begin_prior(
        local_term(evidence.problem, evidence.priors.support.get(), *local.variance, local.noise_variance),
        found.noise.white);
}

Array difference(ConstArrayView a, const Array& b) {
    Array result = b.clone();
    b.backend().axpby(1, a, -1, result);
    return result;
}

/// The spectrum is that of the image on the average, and so is the error that it tells. The better one of two images of
/// the same data is nearer to the truth by what they differ in, unless they differ by nearly as much as the first one's
/// error or more: then neither is right (docs/default-image.md).
/// @param changed  |image - image of the spectrum|
double error_left(double error_of_spectrum, double changed) {
    const double squared = changed * changed;
    return std::sqrt(std::max(error_of_spectrum * error_of_spectrum - squared, least_of_change * squared));
}

/// A sample of the pass's own error is the other estimate:
/// - where the spectrum was no good model, the error is between what is left and the sample;
/// - a sample that is larger than that of the spectrum knows of more that the data leave open;
/// - of two that agree the smaller one is right where the pass has found edges: such objects are flatter between them
///   than either takes for likely. Where it has changed little, the sample is small as v takes but a part of the
///   error's gradients. A sample far below what is left knows of edges alone, and not of what the data lack.
/// @param sample  |z| of the pass
double error_told(double error_of_spectrum, double changed, double sample) {
    const double left = error_left(error_of_spectrum, changed);
    const bool is_no_model = std::pow(error_of_spectrum, 2) < (1 + least_of_change) * changed * changed;
    if (is_no_model) {
        return std::sqrt(left * sample);
    }
    if (sample > error_of_spectrum) {
        return left * std::sqrt(sample / error_of_spectrum);
    }
    const bool has_edges = changed * changed > edges_found * error_of_spectrum * error_of_spectrum;
    return has_edges && sample > agreeing * left ? std::min(left, sample) : left;
}

/// Takes as much of the pass as brings the image nearest to what the data would be without noise.
/// @param balance  of the image of the pass
void mix(const ScanEvidence& evidence, const FoundSpectrum& found, const Array& of_spectrum,
         const NoiseBalance& balance, ScanSolutions& solutions, LocalPrior& local) {
    local.share =
        share_of_least_risk(evidence.problem, *found.balance, balance, difference(solutions.image(), of_spectrum));
    solutions.mix_image(local.share, of_spectrum);
    log_debug("scan prior: the noise doubts the local pass; {:.2f} of it", local.share);
}

}  // namespace

LocalPrior find_local_prior(const ScanEvidence& evidence, const FoundSpectrum& found, ScanSolutions& solutions) {
    Run& run = evidence.problem.context().run;
    const bool decides = evidence.problem.backend().computes();  // else it takes the memory of all that may come
    const Array of_spectrum = solutions.copy_of_image();
    const double error_of_spectrum = norm(solutions.error());
    LocalPrior local;
    local.noise_variance = deciding_variance(evidence, found);
    for (local.passes = 1;; ++local.passes) {
        begin_pass(evidence, found, solutions, local);
        const Array before = solutions.copy_of_image();
        solutions.solve_image(image_accuracy, "local pass");
        solutions.sample_error(0, *found.noise_draw);
        if (solutions.interrupted()) {
            return local;
        }
        const double changed = norm(difference(solutions.image(), of_spectrum)), sample = norm(solutions.error());
        local.error_size = error_told(error_of_spectrum, changed, sample);
        log_debug("scan prior: local pass {}: error {:.4g} by the spectrum, {:.4g} changed, {:.4g} by a sample",
                  local.passes, error_of_spectrum, changed, sample);

        const auto stage = run.stage(Stage::start);
        const double left = error_left(error_of_spectrum, changed);
        const bool is_open = sample < left || !decides;  // the data leave more open than the pass knows
        std::optional<NoiseBalance> balance;
        const bool is_doubted = run.decided("local pass is doubted", [&] {
            if (is_open) {
                balance.emplace(balance_of(evidence, found, solutions));
            }
            return is_open && (balance->energy() > found.balance->energy() || !decides);
        });
        if (is_doubted) {
            if (!balance) {  // taken up: decided before
                balance.emplace(balance_of(evidence, found, solutions));
            }
            mix(evidence, found, of_spectrum, *balance, solutions, local);
            local.error_size = error_told(error_of_spectrum, local.share * changed, sample);
        }
        solutions.note_error(local.error_size);
        if (is_doubted && decides) {
            return local;
        }
        const bool goes_on = run.decided("image is read again", [&] {
            const bool is_wrong = left > trusted_edges * norm(solutions.image());
            const bool has_settled = norm(difference(solutions.image(), before)) < settled_image * left;
            return local.passes < most_local_passes && (!decides || (is_open && !is_wrong && !has_settled));
        });
        if (!goes_on) {
            return local;
        }
    }
}

}  // namespace recon
