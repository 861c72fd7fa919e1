#include "core/mri/coil_maps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "core/log.hpp"

namespace recon {
namespace {

double default_radius(PerAxis<Index> matrix_size) {
    Index smallest = std::max({matrix_size[0], matrix_size[1], matrix_size[2]});
    for (const Index n : matrix_size) {
        smallest = n > 1 ? std::min(smallest, n) : smallest;
    }
    return std::min(16.0, static_cast<double>(smallest) / 4);
}

/// |k| over the axes that the image has.
double distance_from_centre(const Trajectory& trajectory, Index m, PerAxis<Index> matrix_size) {
    double square = 0;
    for (int axis = 0; axis < 3; ++axis) {
        square += matrix_size[axis] > 1 ? trajectory.k[axis][m] * trajectory.k[axis][m] : 0;
    }
    return std::sqrt(square);
}

/// S_c = m_c / sqrt(sum |m|^2), and 0 where no coil has any signal.
void normalise_root_sum_of_squares(Array& images, Communicator& along_coils) {
    Backend& backend = images.backend();
    const Index coil_count = images.shape().extent(3);
    const double energy = along_coils.sum(backend.dot(images, images).real());
    const double size = std::sqrt(energy / static_cast<double>(images.shape().without_last_axis().element_count()));
    backend.scale(size > 0 ? 1 / size : 0, images);  // so that no square under- or overflows
    Array root(backend, images.shape().without_last_axis(), images.precision());
    backend.fill(0, root);
    for (Index coil = 0; coil < coil_count; ++coil) {
        backend.multiply(Conjugate::yes, images.slice(coil), images.slice(coil), Accumulate::yes, root);
    }
    along_coils.all_reduce_sum(root);
    backend.square_root(root);
    for (Index coil = 0; coil < coil_count; ++coil) {
        backend.divide(images.slice(coil), root, images.slice(coil));
    }
}

}  // namespace

Array estimate_coil_maps(Backend& backend, const FourierSums& sums, const Trajectory& trajectory,
                         std::span<const cfloat> kspace, Index coil_count, std::span<const double> density_weights,
                         const CoilMapOptions& options, const Division& division) {
    const PerAxis<Index> matrix_size = sums.grid().shape.matrix_size();
    const Index sample_count = trajectory.sample_count();
    const double radius = options.calibration_radius > 0 ? options.calibration_radius : default_radius(matrix_size);
    std::vector<cfloat> windowed(kspace.size());
    Index own_calibration_count = 0;
    for (Index m = 0; m < sample_count; ++m) {
        const double distance = distance_from_centre(trajectory, m, matrix_size);
        if (distance >= radius) {
            continue;
        }
        ++own_calibration_count;
        const double window = std::pow(std::cos(pi * distance / (2 * radius)), 2) * density_weights[m];
        for (Index coil = 0; coil < coil_count; ++coil) {
            windowed[coil * sample_count + m] = static_cast<float>(window) * kspace[coil * sample_count + m];
        }
    }
    const double calibration_count = division.along_samples().sum(static_cast<double>(own_calibration_count));
    const auto is_signal = [](cfloat value) { return value != cfloat(0); };
    if (division.ranks().sum(static_cast<double>(std::ranges::count_if(windowed, is_signal))) == 0) {
        throw InputError(
            fmt::format("coil maps: {} samples within {:.3g} cycles per FOV of the centre of k-space, and "
                        "none holds signal; give --coil-maps FILE or a larger --calibration-radius",
                        calibration_count, radius));
    }
    Array samples(backend, Shape::samples(sample_count).with_axis("coil", coil_count), sums.precision());
    Array maps(backend, sums.grid().shape.with_axis("coil", coil_count), sums.precision());
    upload(windowed, samples);
    sums.adjoint(samples, maps);
    division.along_samples().all_reduce_sum(maps);
    normalise_root_sum_of_squares(maps, division.along_coils());
    log_info("coil maps: estimated from {} samples within {:.3g} cycles per FOV of the centre", calibration_count,
             radius);
    return maps;
}

}  // namespace recon
