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

/// cos^2(pi |k_m| / 2K) w_m, and 0 outside the calibration region.
std::vector<double> calibration_window(const Trajectory& trajectory, PerAxis<Index> matrix_size, double radius,
                                       std::span<const double> density_weights) {
    std::vector<double> window(density_weights.size(), 0.0);
    for (std::size_t m = 0; m < window.size(); ++m) {
        const double distance = distance_from_centre(trajectory, static_cast<Index>(m), matrix_size);
        if (distance < radius) {
            window[m] = std::pow(std::cos(pi * distance / (2 * radius)), 2) * density_weights[m];
        }
    }
    return window;
}

/// Whether any sample in the window is not zero; `kspace` [sample coil].
bool holds_signal(std::span<const double> window, std::span<const cfloat> kspace) {
    for (std::size_t coil = 0; coil < kspace.size(); coil += window.size()) {
        for (std::size_t m = 0; m < window.size(); ++m) {
            if (window[m] != 0 && kspace[coil + m] != cfloat(0)) {
                return true;
            }
        }
    }
    return false;
}

/// Samples in the window, those of all ranks. @throws InputError if none of them holds signal
double calibration_count(std::span<const double> window, std::span<const cfloat> kspace, double radius,
                         const Division& division) {
    const auto is_inside = [](double w) { return w != 0; };
    const double count = division.along_samples().sum(static_cast<double>(std::ranges::count_if(window, is_inside)));
    if (division.ranks().sum(holds_signal(window, kspace) ? 1 : 0) == 0) {
        throw InputError(
            fmt::format("coil maps: {} samples within {:.3g} cycles per FOV of the centre of k-space, and "
                        "none holds signal; give --coil-maps FILE or a larger --calibration-radius",
                        count, radius));
    }
    return count;
}

/// Images of all coils, on the backend or on the host.
class CoilImages {
public:
    CoilImages(Backend& backend, const Shape& shape, Precision precision, Residency residency)
        : backend_(backend), shape_(shape), precision_(precision) {
        if (residency == Residency::resident) {
            resident_.emplace(backend, shape, precision);
        } else {
            streamed_.emplace(backend, shape, precision);
        }
    }

    /// function(images [x y z coil]) writes coils first, ..., first + count - 1
    template <class Function>
    void write(Index first, Index count, Function&& function) {
        if (resident_) {
            function(resident_->view().slices(first, count));
            return;
        }
        Array images(backend_, shape_.without_last_axis().with_axis("coil", count), precision_);
        function(images.view());
        streamed_->store(images, first);
    }

    /// function(image [x y z]) reads, and may change, one coil after the other
    template <class Function>
    void for_each(Function&& function) {
        std::optional<Array> buffer;
        if (streamed_) {
            buffer.emplace(backend_, shape_.without_last_axis(), precision_);
        }
        for (Index coil = 0; coil < shape_.extent(3); ++coil) {
            if (resident_) {
                function(resident_->slice(coil));
                continue;
            }
            streamed_->load(coil, *buffer);
            function(buffer->view());
            streamed_->store(*buffer, coil);
        }
    }

    CoilSensitivity as_maps() && {
        return resident_ ? CoilSensitivity(std::move(*resident_)) : CoilSensitivity(std::move(*streamed_));
    }

private:
    Backend& backend_;
    Shape shape_;
    Precision precision_;
    std::optional<Array> resident_;
    std::optional<HostStack> streamed_;
};

/// S_c = m_c / sqrt(sum |m|^2), and 0 where no coil has any signal.
void normalise_root_sum_of_squares(Backend& backend, CoilImages& images, const Shape& image, Precision precision,
                                   Communicator& along_coils) {
    double energy = 0;
    images.for_each([&](ArrayView m) { energy += backend.dot(m, m).real(); });
    energy = along_coils.sum(energy);
    const double scale = energy > 0 ? 1 / std::sqrt(energy / static_cast<double>(image.element_count())) : 0;
    Array root(backend, image, precision);
    backend.fill(0, root);
    images.for_each([&](ArrayView m) {
        backend.scale(scale, m);  // so that no square under- or overflows
        backend.multiply(Conjugate::yes, m, m, Accumulate::yes, root);
    });
    along_coils.all_reduce_sum(root);
    backend.square_root(root);
    images.for_each([&](ArrayView m) { backend.divide(m, root, m); });
}

}  // namespace

CoilSensitivity estimate_coil_maps(Backend& backend, const FourierSums& sums, const Trajectory& trajectory,
                                   std::span<const cfloat> kspace, Index coil_count,
                                   std::span<const double> density_weights, const CoilMapOptions& options,
                                   const Division& division, Residency kspace_residency, Residency maps_residency) {
    const Shape image = sums.grid().shape;
    const Precision precision = sums.precision();
    const PerAxis<Index> matrix_size = image.matrix_size();
    const Shape samples = Shape::samples(trajectory.sample_count());
    const double radius = options.calibration_radius > 0 ? options.calibration_radius : default_radius(matrix_size);
    const std::vector<double> window = calibration_window(trajectory, matrix_size, radius, density_weights);
    const double sample_count = calibration_count(window, kspace, radius, division);
    CoilImages images(backend, image.with_axis("coil", coil_count), precision, maps_residency);
    {
        const KspaceBatches windowed(backend, kspace, samples.with_axis("coil", coil_count), window, precision,
                                     kspace_residency);
        const Index at_once = Encoding::coils_at_once(image, trajectory.sample_count(), coil_count, precision,
                                                      backend.memory().piece_bytes());
        for (Index first = 0; first < coil_count; first += at_once) {
            const Index count = std::min(at_once, coil_count - first);
            images.write(first, count, [&](ArrayView batch) { sums.adjoint(windowed.coils(first, count), batch); });
        }
    }
    if (division.along_samples().size() > 1) {
        images.for_each([&](ArrayView m) { division.along_samples().all_reduce_sum(m); });
    }
    normalise_root_sum_of_squares(backend, images, image, precision, division.along_coils());
    log_info("coil maps: estimated from {} samples within {:.3g} cycles per FOV of the centre", sample_count, radius);
    return std::move(images).as_maps();
}

}  // namespace recon
