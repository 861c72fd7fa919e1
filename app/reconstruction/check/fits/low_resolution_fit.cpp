#include "app/reconstruction/check/fits/low_resolution_fit.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/reconstruction/check/fits/weighted_plan.hpp"
#include "core/operators/operator_algebra.hpp"
#include "solver/conjugate_gradient.hpp"

namespace recon {

PerAxis<Index> band_of_fit(const PerAxis<Index>& matrix_size, FitDetail detail) {
    PerAxis<Index> band = matrix_size;
    for (Index& extent : band) {
        extent = detail == FitDetail::coarse ? extent : std::max<Index>(std::min<Index>(extent, 2), 2 * extent / 3);
    }
    return band;
}

int iterations_of_fit(FitDetail detail) { return detail == FitDetail::coarse ? 4 : 8; }

LowResolutionFit LowResolutionFits::fit(const Scan& probe, std::vector<cfloat>* explained) {
    std::shared_ptr<const WeightedPlan> plan = first_;
    if (!plan || plan->band().source() != probe.frames.front().trajectory) {
        plan = std::make_shared<const WeightedPlan>(probe, band_of_fit(probe.geometry.matrix_size, detail_), backend_);
        first_ = first_ ? first_ : plan;
    }
    const BandPlan& band = plan->band();
    const Shape& shape = band.image();
    LowResolutionFit fit{.samples_per_voxel = static_cast<double>(band.sample_count() * probe.coil_count) /
                                              static_cast<double>(shape.element_count())};
    if (explained != nullptr) {
        explained->assign(probe.frames.front().kspace.size(), 0);
    }
    if (band.is_empty()) {
        return fit;
    }
    Array data = plan->data(probe);
    const double energy = std::pow(norm(data), 2);
    if (!(energy > 0)) {
        return fit;
    }
    const std::unique_ptr<const Encoding> encoding = plan->encoding(probe);
    Array right(backend_, shape, Precision::single), image(backend_, shape, Precision::single),
        product(backend_, shape, Precision::single);
    encoding->adjoint(data, right);
    backend_.fill(0, image);
    const Normal normal(*encoding);
    solve_cg(normal, right, image, {.iterations = iterations_of_fit(detail_), .guard_vectors = 0});
    encoding->normal(image, product);
    // |E x - d|^2 = |d|^2 - 2 Re x^H E^H d + x^H E^H E x
    const double square = energy - 2 * backend_.dot(image, right).real() + backend_.dot(image, product).real();
    fit.residual = std::sqrt(std::max(0.0, square) / energy);
    const double weight_sum = std::accumulate(band.weights().begin(), band.weights().end(), 0.0);
    if (explained != nullptr) {
        encoding->forward(image, data);
        std::vector<cfloat> values = download<float>(data);
        for (std::size_t i = 0; i < values.size(); ++i) {
            const double root = std::sqrt(band.weights()[i % band.weights().size()]);
            values[i] = root > 0 ? values[i] / static_cast<float>(root) : 0;
        }
        band.put_into(*explained, values);
    }
    fit.noise = noise_sigma_ * std::sqrt(weight_sum * static_cast<double>(probe.coil_count) / energy);
    return fit;
}

}  // namespace recon
