#include "app/reconstruction/scan_prior/evidence/noise_draws.hpp"

#include <cmath>

namespace recon {

NoiseDraws::NoiseDraws(const FrameProblem& problem, const ScanStatistics& statistics)
    : problem_(problem), statistics_(statistics), first_white_(adjoint_of_white_noise(problem, 0)) {}

Array NoiseDraws::of_data(Index draw, const ScanNoise& noise, const PowerSpectrum& spectrum) const {
    if (noise.relative > 0 || !problem_.backend().computes()) {  // which takes more memory
        return adjoint_of_white_noise(problem_, draw, deviations_of_samples(noise, spectrum));
    }
    Array result = draw == 0 ? first_white_.clone() : adjoint_of_white_noise(problem_, draw);
    problem_.backend().scale(std::sqrt(noise.white), result);
    return result;
}

std::vector<double> NoiseDraws::deviations_of_samples(const ScanNoise& noise, const PowerSpectrum& spectrum) const {
    const KspaceShells& shells = statistics_.shells;
    std::vector<double> of_shells;
    for (std::size_t shell = 0; shell < shells.count.size(); ++shell) {
        of_shells.push_back(std::sqrt(noise.variance(statistics_.signal_of(spectrum, shell))));
    }
    std::vector<double> deviations(statistics_.shell_of_sample.size());
#pragma omp parallel for schedule(static)
    for (std::size_t m = 0; m < deviations.size(); ++m) {
        deviations[m] = of_shells[statistics_.shell_of_sample[m]];
    }
    return deviations;
}

}  // namespace recon
