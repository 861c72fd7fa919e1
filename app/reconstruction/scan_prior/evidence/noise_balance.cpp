#include "app/reconstruction/scan_prior/evidence/noise_balance.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace recon {

double noise_taken(const FrameProblem& problem, ConstArrayView error, ConstArrayView noise) {
    Backend& backend = problem.backend();
    Array product(backend, problem.image_shape(), error.precision());
    problem.normal().forward(error, product);
    return 2 * backend.dot(noise, error).real() - backend.dot(error, product).real();
}

double NoiseBalance::risk() const { return left + 2 * taken; }

NoiseBalance balance_beside(const FrameProblem& problem, const NoiseBalance& of_first, const Array& first,
                            ConstArrayView image, ConstArrayView error, ConstArrayView noise) {
    constexpr double most_uncertain = 0.2;  // of what is left; it was off by less than a hundredth of that
    const double taken = noise_taken(problem, error, noise);
    const ScanStatistics& statistics = of_first.statistics;
    Backend& backend = problem.backend();
    Array step = first.clone(), slope(backend, problem.image_shape(), first.precision());
    backend.axpby(1, image, -1, step);
    const double uncertain = 2 * problem.context().options.q_options().tolerance * norm(step) * norm(problem.fhd());
    if (uncertain > most_uncertain * of_first.left) {
        const std::vector<double> residuals = residual_of_shells(problem, statistics, image);
        return {statistics, std::accumulate(residuals.begin(), residuals.end(), 0.0), taken};
    }
    backend.axpby(2, first, 1, step);  // their sum
    problem.normal().forward(step, slope);
    backend.axpby(-2, problem.fhd(), 1, slope);
    backend.axpby(-2, first, 1, step);
    return {statistics, of_first.left + backend.dot(step, slope).real(), taken};
}

double share_of_least_risk(const FrameProblem& problem, const NoiseBalance& of_first, const NoiseBalance& of_second,
                           ConstArrayView difference) {
    Array product(problem.backend(), problem.image_shape(), difference.precision());
    problem.normal().forward(difference, product);
    const double between = product.backend().dot(difference, product).real();
    const double share = 0.5 + (of_first.risk() - of_second.risk()) / (2 * between);
    return std::isfinite(share) ? std::clamp(share, 0.0, 1.0) : 1;
}

std::vector<double> taken_in_shells(const KspaceShells& shells, const EvenGrid& grid,
                                    std::span<const std::uint32_t> shell_of_grid, const std::vector<float>& of_data,
                                    const std::vector<double>& of_prior, double voxel_count) {
    const double share = voxel_count / static_cast<double>(of_data.size());
    return shells.sums_of_runs(std::ssize(of_data), [&](Index first, Index end, std::span<double> sums) {
        grid.visit(first, end, [&](Index i, Index point) {
            const auto at = static_cast<std::size_t>(point);
            const double c = of_data[static_cast<std::size_t>(i)];
            sums[shell_of_grid[at]] += share * c / (c + of_prior[at]);
        });
    });
}

ScanNoise found_noise(const NoiseBalance& balance, const std::vector<double>& residuals, std::vector<double> freedom,
                      const ScanNoise& noise, const PowerSpectrum& spectrum, const NoiseBounds& bounds) {
    const ScanStatistics& statistics = balance.statistics;
    const KspaceShells& shells = statistics.shells;
    const auto coils = static_cast<double>(statistics.coil_count);
    double energy_taken = 0;
    for (std::size_t s = 0; s < freedom.size(); ++s) {
        freedom[s] = std::min(freedom[s], coils * shells.count[s]);
        energy_taken += freedom[s] * noise.variance(statistics.signal_of(spectrum, s));
    }
    const double correction =
        energy_taken > 0 && statistics.weighting() == 1 ? std::clamp(balance.taken / energy_taken, 0.2, 2.0) : 1;
    // Of a shell that the image takes nearly whole (share h of its numbers, the rest l = 1 - h) the prior leaves
    // l^2 (signal + noise) = l * (the noise that was assumed): it repeats the assumption and tells nothing.
    constexpr double least_left = 0.15, least_numbers = 30;
    std::vector<ShellResidual> left;
    double numbers_left = 0;
    for (std::size_t s = 0; s < freedom.size(); ++s) {
        const double numbers = coils * shells.count[s], left_over = numbers - correction * freedom[s];
        if (left_over > least_left * numbers) {
            left.push_back({left_over, residuals[s] / left_over, statistics.signal_of(spectrum, s)});
            numbers_left += left_over;
        }
    }
    if (numbers_left < least_numbers) {
        return {std::clamp(noise.white, bounds.least, bounds.most), noise.relative};
    }
    return split_noise(left, noise, bounds.least, bounds.most);
}

}  // namespace recon
