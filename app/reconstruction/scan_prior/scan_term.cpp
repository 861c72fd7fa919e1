#include "app/reconstruction/scan_prior/scan_term.hpp"

#include <cmath>

#include "core/base/host_pages.hpp"
#include "core/operators/penalties/spectral_weighting.hpp"

namespace recon {

ScanTerm spectrum_term(const FrameProblem& problem, const std::vector<double>& k, const PowerSpectrum& spectrum,
                       const ScanNoise& noise, double signal_share) {
    const auto voxels = static_cast<double>(problem.image_shape().element_count());
    auto factors = unwritten_vector<double>(k.size());
    auto of_prior = unwritten_vector<double>(k.size());
    ScanTerm result;
    result.deviations = unwritten_vector<double>(k.size());
    const double points = static_cast<double>(k.size());
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < k.size(); ++i) {
        const double power = spectrum(k[i]);
        const double variance = noise.variance(signal_share * power);
        of_prior[i] = variance * voxels / power;
        result.deviations[i] = std::sqrt(variance);
        factors[i] = std::sqrt(of_prior[i] / (points * problem.q_centre()));
    }
    result.term = {1, std::make_shared<const SpectralWeighting>(problem.backend(), problem.image_shape(), factors,
                                                                problem.context().options.precision)};
    result.spectrum = std::make_shared<const std::vector<double>>(std::move(of_prior));
    return result;
}

}  // namespace recon
