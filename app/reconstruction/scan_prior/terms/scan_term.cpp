#include "app/reconstruction/scan_prior/terms/scan_term.hpp"

#include <algorithm>
#include <cmath>

#include "app/reconstruction/scan_prior/evidence/grid_frequencies.hpp"
#include "core/base/host_pages.hpp"
#include "core/operators/penalties/spectral_weighting.hpp"

namespace recon {

ScanTerm spectrum_term(const FrameProblem& problem, const std::vector<double>& k, const PowerSpectrum& spectrum,
                       const ScanNoise& noise, double signal_share, double voxels, double most) {
    const bool is_white = noise.relative == 0 && problem.backend().computes();  // else a draw takes more memory
    ScanTerm result;
    result.grid = even_grid(problem);
    result.deviation = std::sqrt(noise.white);
    result.deviations = unwritten_vector<double>(is_white ? 0 : k.size());
    auto of_prior = unwritten_vector<double>(k.size());
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < k.size(); ++i) {
        const double power = spectrum(k[i]);
        const double variance = noise.variance(signal_share * power);
        of_prior[i] = std::min(variance * voxels / power, most);
        if (!is_white) {
            result.deviations[i] = std::sqrt(variance);
        }
    }
    const double unit = 1 / (static_cast<double>(result.grid.point_count()) * problem.q_centre());
    result.term = {
        1, std::make_shared<const SpectralWeighting>(
               problem.image_shape(), even_array(problem.backend(), circulant_grid(problem.context().matrix_size()),
                                                 problem.context().options.precision,
                                                 [&](std::size_t at) { return std::sqrt(unit * of_prior[at]); }))};
    result.spectrum = std::make_shared<const std::vector<double>>(std::move(of_prior));
    return result;
}

}  // namespace recon
