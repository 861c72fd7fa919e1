#include "app/reconstruction/scan_prior/evidence/uneven_sensitivity.hpp"

#include "core/base/log.hpp"

namespace recon {
namespace {

constexpr double even = 1.1;    ///< arithmetic over harmonic mean
constexpr double least = 0.01;  ///< of the mean

}  // namespace

std::optional<Array> uneven_sensitivity(const FrameProblem& problem, Array map_energy, const Support* support,
                                        double solved_count) {
    Backend& backend = problem.backend();
    if (!problem.coils()->has_maps()) {
        return std::nullopt;
    }
    Array inside(backend, map_energy.shape(), map_energy.precision());
    backend.fill(1, inside);
    const double mean_of_field = backend.dot(inside, map_energy).real() / static_cast<double>(map_energy.size());
    if (support != nullptr) {
        support->restrict_to_support(inside);
        support->restrict_to_support(map_energy);
    }
    // The eigenvalues of the data are means over the whole field.
    backend.scale(1 / mean_of_field, map_energy);
    const double mean = backend.dot(inside, map_energy).real() / solved_count;
    Array reciprocal(backend, map_energy.shape(), map_energy.precision());
    backend.divide(inside, map_energy, reciprocal);
    const double unevenness = mean * backend.dot(inside, reciprocal).real() / solved_count;
    if (!problem.context().run.decided("coils see all alike",
                                       [&] { return unevenness < even && backend.computes(); })) {
        backend.axpby(least * mean, inside, 1, map_energy);
        log_debug("scan prior: coils see voxels unevenly, {:.3g} in the means of their energy", unevenness);
        return map_energy;
    }
    return std::nullopt;
}

}  // namespace recon
