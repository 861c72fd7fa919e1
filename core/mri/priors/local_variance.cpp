#include "core/mri/priors/local_variance.hpp"

#include <cmath>
#include <vector>

#include "core/backend/backend.hpp"

namespace recon {
namespace {

constexpr double image_width_voxels = 0.5;
constexpr double error_width_voxels = 4;
/// Of what a sample of the error shows. The spectrum's sample has gradients everywhere, objects at their edges.
constexpr double error_share = 0.25;
constexpr double cut_widths = 3;  ///< where the Gaussian ends
/// This part of the mean of v is that of empty air, and no steeper prior is of use.
constexpr double least_variance = 1e-6;

std::vector<double> gaussian(double width) {
    std::vector<double> weights;
    for (Index i = 0; static_cast<double>(i) <= std::ceil(cut_widths * width); ++i) {
        weights.push_back(std::exp(-0.5 * std::pow(static_cast<double>(i) / width, 2)));
    }
    return weights;
}

}  // namespace

void smooth(double width_voxels, ArrayView values) {
    if (!(width_voxels > 0)) {
        return;
    }
    Backend& backend = values.backend();
    const std::vector<double> weights = gaussian(width_voxels);
    Array smoothed(backend, values.shape(), values.precision());
    for (int axis = 0; axis < 3; ++axis) {
        if (values.shape().extent(axis) > 1) {
            backend.image_primitives().smooth(axis, weights, values, smoothed);
            backend.copy(smoothed, values);
        }
    }
}

void to_smoothed_energy(double unit, double width_voxels, ArrayView values) {
    Backend& backend = values.backend();
    backend.scale(unit > 0 ? 1 / unit : 0, values);
    backend.multiply(Conjugate::yes, values, values, Accumulate::no, values);
    smooth(width_voxels, values);
}

LocalVariance local_variance(ArrayView of_image, ArrayView of_error) {
    Backend& backend = of_image.backend();
    LocalVariance result{Array(backend, of_image.shape(), of_image.precision()), 1};
    const auto count = static_cast<double>(of_image.size());
    const double mean = (backend.dot(of_image, of_image).real() + backend.dot(of_error, of_error).real()) / count;
    if (!(mean > 0)) {
        backend.fill(1, result.relative);
        return result;
    }
    result.scale = mean;
    to_smoothed_energy(std::sqrt(mean), image_width_voxels, of_image);
    to_smoothed_energy(std::sqrt(mean), error_width_voxels, of_error);
    backend.fill(least_variance, result.relative);
    backend.axpby(1, of_image, 1, result.relative);
    backend.axpby(error_share, of_error, 1, result.relative);
    return result;
}

}  // namespace recon
