#include "app/reconstruction/scan_prior/envelope.hpp"

#include <cmath>

#include "app/reconstruction/scan_prior/terms/enveloped_term.hpp"
#include "core/base/log.hpp"
#include "core/mri/priors/local_variance.hpp"

namespace recon {
namespace {

constexpr double width_voxels = 2;
constexpr double flat = 0.3;            ///< energy from which on m says "object" and no more
constexpr double energy_of_air = 1e-4;  ///< m^2 is no less
constexpr double fills_field = 0.9;     ///< 1 / mean of m^4: the part of the field that an even object takes

void restrict_to(const Support* support, ArrayView x) {
    if (support != nullptr) {
        support->restrict_to_support(x);
    }
}

/// Energies of image and error around each voxel, in units of what they are at the voxels of the object (the mean,
/// weighed by themselves): e. m^2 = e / (e + `flat`), 1 in the mean over the voxels that are solved for. [x y z]
Array squared_envelope(const ScanEvidence& evidence, const ScanSolutions& solutions) {
    Backend& backend = evidence.problem.backend();
    const Support* const support = evidence.priors.support.get();
    Array energy = solutions.copy_of_image();
    const double unit = std::hypot(norm(energy), norm(solutions.error())) / std::sqrt(evidence.solved_count);
    backend.scale(1 / unit, energy);
    backend.multiply(Conjugate::yes, energy, energy, Accumulate::no, energy);
    Array part = solutions.error().clone();
    backend.scale(1 / unit, part);
    backend.multiply(Conjugate::yes, part, part, Accumulate::yes, energy);
    smooth(width_voxels, energy);
    backend.fill(1, part);
    restrict_to(support, part);
    Array inside = part.clone();
    smooth(width_voxels, part);
    backend.divide(energy, part, energy);  // of what is smoothed, the part inside
    restrict_to(support, energy);
    const double at_object = backend.dot(energy, energy).real() / backend.dot(inside, energy).real();
    backend.fill(flat * at_object, part);
    backend.axpby(1, energy, 1, part);
    backend.divide(energy, part, energy);
    backend.axpby(energy_of_air, inside, 1, energy);
    backend.scale(evidence.solved_count / backend.dot(inside, energy).real(), energy);
    return energy;
}

/// Where the prior leaves nothing of the data anyway. rho / m has more detail than rho, by what m has, which a P that
/// falls steeply does not allow.
double most_eigenvalue(const ScanEvidence& evidence) {
    constexpr double nothing = 30;  // times those of the data, in the mean
    return nothing * evidence.mean_of_data();
}

}  // namespace

void find_envelope(const ScanEvidence& evidence, FoundSpectrum& found, ScanSolutions& solutions) {
    if (solutions.interrupted()) {
        return;
    }
    Run& run = evidence.problem.context().run;
    Backend& backend = evidence.problem.backend();
    const bool is_nearly_right = run.decided("spectrum is enough", [&] {
        return norm(solutions.error()) < nearly_right * norm(solutions.image()) && backend.computes();
    });
    if (is_nearly_right) {
        return;
    }
    {
        const auto stage = run.stage(Stage::start);
        const Array energy = squared_envelope(evidence, solutions);
        const double part = evidence.solved_count / backend.dot(energy, energy).real();
        log_debug("scan prior: the object takes {:.2f} of the field", part);
        if (run.decided("object fills the field", [&] { return part > fills_field && backend.computes(); })) {
            return;
        }
        solutions.end_prior();
        const ScanStatistics& statistics = evidence.statistics;
        found.enveloped =
            enveloped(evidence.problem,
                      spectrum_term(evidence.problem, evidence.k_per_mm, *found.power, statistics.weighted(found.noise),
                                    statistics.signal_share(), evidence.solved_count, most_eigenvalue(evidence)),
                      evidence.priors.support.get(), energy, evidence.sensitivity_or_null());
        solutions.begin_prior(found.enveloped, found.noise.white);
        found.enveloped.term.w.reset();  // their memory is the solutions' to give back
        found.enveloped.levels.clear();
    }
    const Array image = solutions.copy_of_image(), error = solutions.error().clone();
    solutions.solve_image(turn_accuracy, "spectrum prior with envelope");
    solutions.sample_error(0, *found.noise_draw, rough_sample_accuracy);
    if (solutions.interrupted()) {
        return;
    }
    const auto stage = run.stage(Stage::start);
    const NoiseBalance balance = balance_of(evidence, found, image, solutions);
    log_debug("scan prior: with the envelope error {:.4g}, was {:.4g}", norm(solutions.error()), norm(error));
    const double most = found.energy + solutions.energy_left(turn_accuracy);
    if (run.decided("envelope is doubted", [&] { return balance.energy() > most; })) {
        solutions.go_back_to(image, error);
        return;
    }
    found.balance.emplace(balance);
    solutions.note_error(norm(solutions.error()));
}

}  // namespace recon
