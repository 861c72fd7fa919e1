#include "app/reconstruction/scan_prior/local_passes.hpp"

#include <algorithm>
#include <cmath>

#include "app/reconstruction/scan_prior/evidence/noise_balance.hpp"
#include "core/base/log.hpp"
#include "core/base/ordered_sum.hpp"

namespace recon {
namespace {

constexpr int most_local_passes = 4;
constexpr double settled_image = 0.1;    ///< change of the image by a pass that ends them, in units of its error
constexpr double trusted_edges = 0.15;   ///< error of an image whose edges may be read once more, as a part of it
constexpr double least_of_change = 0.8;  ///< energy of the error, in units of that of what the local pass changed

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

double squared_distance(ConstArrayView a, const Array& b) {
    Array difference = b.clone();
    b.backend().axpby(1, a, -1, difference);
    return std::pow(norm(difference), 2);
}

/// The spectrum is that of the image on the average, and so is the error that it tells. The better one of two images of
/// the same data is nearer to the truth by what they differ in, unless they differ by more than the first one's error:
/// then neither is right (docs/default-image.md).
double error_after_change(double error_of_spectrum, double squared_change) {
    return std::sqrt(std::max(std::pow(error_of_spectrum, 2) - squared_change, least_of_change * squared_change));
}

/// Whether the data leave more open than the error that is told, the image is nearly right and has not come to rest,
/// and it explains the noise as well as the image of the spectrum: edges do, aliases do not.
/// @param before  the image that the last pass began with
bool is_read_again(const ScanEvidence& evidence, const FoundSpectrum& found, const ScanSolutions& solutions,
                   const LocalPrior& local, const Array& before) {
    const bool decides = evidence.problem.backend().computes();  // else it takes the memory of all that may come
    const bool is_certain = norm(solutions.error()) >= local.error_size;
    const bool is_doubtful = local.error_size > trusted_edges * norm(solutions.image());
    const bool has_settled =
        squared_distance(solutions.image(), before) < std::pow(settled_image * local.error_size, 2);
    if (decides && (is_certain || is_doubtful || has_settled)) {
        return false;
    }
    const auto stage = evidence.problem.context().run.stage(Stage::start);
    const NoiseBalance balance =
        noise_balance(evidence.problem, evidence.statistics, solutions.image(), solutions.error(), *found.noise_draw);
    return !decides || balance.energy() <= found.noise_energy;
}

}  // namespace

LocalPrior find_local_prior(const ScanEvidence& evidence, const FoundSpectrum& found, ScanSolutions& solutions) {
    const Array of_spectrum = solutions.copy_of_image();
    const double error_of_spectrum = norm(solutions.error());
    LocalPrior local;
    local.noise_variance = deciding_variance(evidence, found);
    for (local.passes = 1;; ++local.passes) {
        begin_pass(evidence, found, solutions, local);
        const Array before = solutions.copy_of_image();
        solutions.solve_image(image_accuracy, "local pass");
        const double squared_change = squared_distance(solutions.image(), of_spectrum);
        local.error_size = error_after_change(error_of_spectrum, squared_change);
        solutions.sample_error(0, *found.noise_draw);
        if (solutions.interrupted()) {
            return local;
        }
        solutions.note_error(local.error_size);
        log_debug("scan prior: local pass {}: error {:.4g} by the spectrum, {:.4g} changed, {:.4g} by a sample",
                  local.passes, error_of_spectrum, std::sqrt(squared_change), norm(solutions.error()));
        const bool goes_on = evidence.problem.context().run.decided("image is read again", [&] {
            return local.passes < most_local_passes && is_read_again(evidence, found, solutions, local, before);
        });
        if (!goes_on) {
            return local;
        }
    }
}

}  // namespace recon
