#include "app/reconstruction/scan_prior/hardly_seen.hpp"

#include <cmath>

#include "app/reconstruction/scan_prior/error_beside_image.hpp"

namespace recon {
namespace {

constexpr double reach_voxels = 4;
constexpr double far_less = 2;  ///< of the mean error's energy
constexpr double air = 0.05;    ///< of the image's own energy, as in air

void square(ArrayView values) { values.backend().multiply(Conjugate::yes, values, values, Accumulate::no, values); }

/// x becomes x / (1 + x / most).
void saturate(double most, ArrayView x, ArrayView room) {
    x.backend().fill(1, room);
    x.backend().axpby(1 / most, x, 1, room);
    x.backend().divide(x, room, x);
}

}  // namespace

double part_hardly_seen(const ScanEvidence& evidence, const ScanSolutions& solutions) {
    Backend& backend = evidence.problem.backend();
    const auto around = [&](ConstArrayView values) {
        return energy_around(values, reach_voxels, norm(values) / std::sqrt(evidence.solved_count));
    };
    const Array error = around(solutions.error());
    Array image = around(solutions.image());
    Array room(backend, image.shape(), image.precision());
    backend.fill(1, room);
    const double of_image = backend.dot(image, room).real(), of_error = backend.dot(error, room).real();
    const double mean_error = backend.dot(image, error).real() / of_image;
    const double mean_image = backend.dot(image, image).real() / of_image;
    Array part = error.clone();
    if (!(of_error > 0 && mean_error > 0 && mean_image > 0)) {
        return 0;
    }
    constexpr double more_is_the_same = 1000;  // whose eighth power is a number in single precision
    backend.scale(1 / (far_less * mean_error), part);
    saturate(more_is_the_same, part, room);
    for (int power = 1; power < 8; power *= 2) {
        square(part);
    }
    saturate(1, part, room);
    backend.scale(1 / (air * mean_image), image);
    square(image);
    saturate(1, image, room);
    backend.multiply(Conjugate::no, image, part, Accumulate::no, part);
    return backend.dot(part, error).real() / of_error;
}

}  // namespace recon
