#include "app/reconstruction/scan_prior/scan_resolution.hpp"

#include <algorithm>
#include <cmath>

#include "app/reconstruction/scan_prior/scan_term.hpp"

namespace recon {
namespace {

double quantile(std::vector<double> values, double part) {
    const auto place = values.begin() + static_cast<Index>(part * static_cast<double>(values.size() - 1));
    std::nth_element(values.begin(), place, values.end());
    return *place;
}

}  // namespace

double equivalent_width(const std::vector<double>& of_data, const std::vector<double>& of_prior, Index axis_count) {
    double sum = 0;
    for (std::size_t i = 0; i < of_data.size(); ++i) {
        sum += of_data[i] / std::max(of_data[i] + of_prior[i], 1e-300);
    }
    const double centre = of_data[0] / std::max(of_data[0] + of_prior[0], 1e-300);
    const double mean = sum / static_cast<double>(of_data.size());
    return mean > 0 && axis_count > 0 ? std::pow(centre / mean, 1 / static_cast<double>(axis_count)) : 0;
}

EffectiveResolution local_resolution(const FrameProblem& problem, const std::vector<double>& of_data,
                                     const std::vector<double>& variance, double noise_variance, ConstArrayView image,
                                     Index axis_count) {
    const std::vector<cfloat> voxels = download<float>(image);
    std::vector<double> magnitudes(voxels.size());
#pragma omp parallel for schedule(static)
    for (std::size_t n = 0; n < voxels.size(); ++n) {
        magnitudes[n] = std::sqrt(std::norm(cdouble(voxels[n])));
    }
    const double least = 0.2 * quantile(magnitudes, 0.99);
    std::vector<double> inside;
    for (std::size_t n = 0; n < magnitudes.size(); ++n) {
        if (magnitudes[n] >= least) {
            double mean = 0;
            for (std::size_t i = n; i < variance.size(); i += voxels.size()) {
                mean += variance[i] / static_cast<double>(axis_count);
            }
            inside.push_back(mean);
        }
    }
    const auto width = [&](double part) {
        return equivalent_width(of_data, gradient_spectrum(problem, noise_variance, quantile(inside, part)),
                                axis_count);
    };
    return {width(0.5), width(0.95)};
}

}  // namespace recon
