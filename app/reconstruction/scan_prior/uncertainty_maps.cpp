#include "app/reconstruction/scan_prior/uncertainty_maps.hpp"

#include <cmath>

#include "app/reconstruction/scan_prior/deviation_map.hpp"

namespace recon {

NamedArray error_map(const ScanEvidence& evidence, const FoundSpectrum& found, ScanSolutions& solutions,
                     double error_size) {
    const Index samples = evidence.problem.context().options.regularisation.uncertainty_samples;
    if (samples == 0) {
        return {};
    }
    DeviationMap deviations(solutions.error(), norm(solutions.error()) / std::sqrt(evidence.voxel_count()));
    deviations.add(solutions.error());
    for (Index draw = 1; draw < samples; ++draw) {
        solutions.forget_error();
        solutions.sample_error(draw, evidence.draws->of_data(draw, found.noise, *found.power));
        if (solutions.interrupted()) {
            break;
        }
        deviations.add(solutions.error());
    }
    return deviations.take("uncertainty/sd", error_size * error_size, evidence.priors.support.get());
}

NamedArray noise_map(const ScanEvidence& evidence, const FoundSpectrum& found, ScanSolutions& solutions) {
    const Index draws = evidence.problem.context().options.regularisation.noise_sd_draws;
    if (draws == 0) {
        return {};
    }
    DeviationMap deviations(solutions.error(), std::sqrt(evidence.statistics.weighted(found.noise).white));
    double energy = 0;
    Index done = 0;
    for (; done < draws; ++done) {
        Array noise = evidence.draws->of_data(done, found.noise, *found.power);
        solutions.sample_noise(noise);
        if (solutions.interrupted()) {
            break;
        }
        energy += std::pow(norm(solutions.error()), 2);
        deviations.add(solutions.error());
    }
    if (done == 0) {
        return {};
    }
    return deviations.take("uncertainty/noise_sd", energy / static_cast<double>(done), evidence.priors.support.get());
}

}  // namespace recon
