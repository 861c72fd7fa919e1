#include "app/reconstruction/scan_prior/error_beside_image.hpp"

#include <algorithm>
#include <cmath>

#include "core/mri/priors/local_variance.hpp"

namespace recon {
namespace {

constexpr double width = 1.5;  ///< voxels

}  // namespace

Array energy_around(ConstArrayView values, double width_voxels, double unit) {
    Array energy(values.backend(), values.shape(), values.precision());
    values.backend().copy(values, energy);
    to_smoothed_energy(unit, width_voxels, energy);
    return energy;
}

double size_beside_image(ConstArrayView sample, ConstArrayView image) {
    constexpr double nothing = 1e-12;  // of the mean of both: where there is neither the quotient is 0
    Backend& backend = sample.backend();
    const auto count = static_cast<double>(image.size());
    const double unit = std::hypot(norm(image), norm(sample)) / std::sqrt(count);
    const Array of_sample = energy_around(sample, width, unit);
    Array of_image = energy_around(image, width, unit);
    Array sum(backend, image.shape(), image.precision());
    backend.fill(nothing, sum);
    backend.axpby(1, of_sample, 1, sum);
    backend.axpby(1, of_image, 1, sum);
    backend.divide(of_image, sum, of_image);
    return unit * std::sqrt(std::max(0.0, backend.dot(of_sample, of_image).real()));
}

}  // namespace recon
