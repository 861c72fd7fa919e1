#include "app/reconstruction/scan_prior/scan_resolution.hpp"

#include <algorithm>
#include <cmath>

#include "app/reconstruction/scan_prior/local_term.hpp"
#include "core/base/ordered_sum.hpp"

namespace recon {
namespace {

/// More voxels tell nothing new.
constexpr Index most_voxels = Index{1} << 19;

double quantile(std::vector<float> values, double part) {
    const auto place = values.begin() + static_cast<Index>(part * static_cast<double>(values.size() - 1));
    std::nth_element(values.begin(), place, values.end());
    return *place;
}

}  // namespace

double equivalent_width(const std::vector<double>& of_data, const std::vector<double>& of_prior, Index axis_count,
                        double variance) {
    const auto response = [&](Index n) {
        const auto i = static_cast<std::size_t>(n);
        return of_data[i] / std::max(of_data[i] + of_prior[i] / variance, 1e-300);
    };
    const double centre = response(0);
    const double mean = ordered_sum(std::ssize(of_data), response) / static_cast<double>(of_data.size());
    return mean > 0 && axis_count > 0 ? std::pow(centre / mean, 1 / static_cast<double>(axis_count)) : 0;
}

double mixed_width(double first, double second, double share, Index axis_count) {
    const auto axes = static_cast<double>(axis_count);
    return std::pow((1 - share) * std::pow(first, -axes) + share * std::pow(second, -axes), -1 / axes);
}

EffectiveResolution local_resolution(const FrameProblem& problem, const std::vector<double>& of_data,
                                     const LocalVariance& variance, double noise_variance, ConstArrayView image,
                                     Index axis_count) {
    Backend& backend = problem.backend();
    Array sum(backend, image.shape(), image.precision());  // over the axes
    backend.copy(variance.relative.slice(0), sum);
    for (Index slot = 1; slot < axis_count; ++slot) {
        backend.axpby(1, variance.relative.slice(slot), 1, sum);
    }
    const std::vector<cfloat> sums = download<float>(sum);
    const std::vector<cfloat> voxels = download<float>(image);
    const Index count = std::min(std::ssize(voxels), most_voxels);
    const auto spread = [&](Index n) { return static_cast<std::size_t>(n * std::ssize(voxels) / count); };
    std::vector<float> magnitudes(static_cast<std::size_t>(count));
    for (Index n = 0; n < count; ++n) {
        magnitudes[static_cast<std::size_t>(n)] = std::abs(voxels[spread(n)]);
    }
    const double least = 0.2 * quantile(magnitudes, 0.99);
    std::vector<float> inside;
    for (Index n = 0; n < count; ++n) {
        if (magnitudes[static_cast<std::size_t>(n)] >= least) {
            inside.push_back(sums[spread(n)].real());
        }
    }
    const double unit = variance.scale / static_cast<double>(std::max<Index>(1, axis_count));
    const std::vector<double> of_unit = gradient_spectrum(problem, noise_variance, unit);
    const auto width = [&](double part) {
        return equivalent_width(of_data, of_unit, axis_count, quantile(inside, part));
    };
    return {width(0.5), width(0.95)};
}

}  // namespace recon
