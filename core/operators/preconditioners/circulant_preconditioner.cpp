#include "core/operators/preconditioners/circulant_preconditioner.hpp"

#include <algorithm>
#include <optional>

#include "core/backend/backend.hpp"
#include "core/base/error.hpp"
#include "core/base/host_pages.hpp"
#include "core/fourier/voxel_grid.hpp"

namespace recon {
namespace {

PaddedFftGeometry geometry_of(const VoxelGrid& image, PerAxis<Index> grid_size) {
    PaddedFftGeometry geometry{image, grid_size, {}};
    for (int axis = 0; axis < 3; ++axis) {
        geometry.weight[axis].assign(image.shape.extent(axis), 1.0);
    }
    return geometry;
}

/// The same for means rather than sums over the voxels, whose squares stay in the range of what is summed.
PaddedFftGeometry geometry_of_means(PerAxis<Index> matrix_size, PerAxis<Index> grid_size) {
    PaddedFftGeometry geometry{VoxelGrid::image(matrix_size), grid_size, {}};
    for (int axis = 0; axis < 3; ++axis) {
        geometry.weight[axis].assign(matrix_size[axis], 1 / static_cast<double>(matrix_size[axis]));
    }
    return geometry;
}

/// Twice as large along the axes that exist: holds all differences.
PerAxis<Index> doubled_size(PerAxis<Index> grid) {
    for (Index& extent : grid) {
        extent = extent == 1 ? 1 : 2 * extent;
    }
    return grid;
}

/// A(x) / N on the grid of differences.
Array autocorrelation(Backend& backend, const CoilSensitivity& coils, PerAxis<Index> matrix_size,
                      PerAxis<Index> doubled, Communicator& ranks) {
    const Shape image = Shape::image(matrix_size);
    const Shape grid_shape = Shape::image(doubled).with_axis("batch", 1);
    // Energies of maps that are in single precision themselves; what follows takes differences of them.
    std::optional<Array> energies(std::in_place, backend, grid_shape, Precision::single);
    backend.fill(0, *energies);
    {
        const auto fft = backend.make_padded_fft(geometry_of_means(matrix_size, doubled), Precision::single);
        Array map(backend, image.with_axis("batch", 1), Precision::single);
        Array grid(backend, grid_shape, Precision::single);
        std::optional<Array> buffer;
        for (Index coil = 0; coil < coils.coil_count(); ++coil) {
            if (coils.has_maps()) {
                backend.copy(coils.map(coil, Precision::single, buffer), map.slice(0));
            } else {
                backend.fill(1, map);
            }
            fft->forward(map, grid);
            backend.multiply(Conjugate::yes, grid, grid, Accumulate::yes, *energies);
        }
    }
    ranks.all_reduce_sum(*energies);
    Array power(backend, grid_shape, Precision::double_);
    backend.copy(*energies, power);
    energies.reset();
    const VoxelGrid differences = VoxelGrid::differences(matrix_size);
    const auto fft = backend.make_padded_fft(geometry_of(differences, doubled), Precision::double_);
    Array result(backend, differences.shape.with_axis("batch", 1), Precision::double_);
    fft->adjoint(power, result);
    backend.scale(static_cast<double>(image.element_count()) / static_cast<double>(power.size()), result);
    return result;
}

}  // namespace

std::vector<float> circulant_spectrum(Backend& backend, ConstArrayView q, const CoilSensitivity& coils,
                                      PerAxis<Index> matrix_size, Communicator& ranks) {
    const PerAxis<Index> grid = circulant_grid(matrix_size);
    const PerAxis<Index> doubled = doubled_size(grid);
    const PerAxis<Index> step{doubled[0] / grid[0], doubled[1] / grid[1], doubled[2] / grid[2]};
    const Array overlap = autocorrelation(backend, coils, matrix_size, doubled, ranks);
    Array weighted(backend, overlap.shape(), Precision::double_);
    backend.multiply(Conjugate::yes, overlap, q.reshaped(overlap.shape()), Accumulate::no, weighted);
    const VoxelGrid differences = VoxelGrid::differences(matrix_size);
    Array transformed(backend, Shape::image(doubled).with_axis("batch", 1), Precision::double_);
    backend.make_padded_fft(geometry_of(differences, doubled), Precision::double_)->forward(weighted, transformed);

    const Index plane = doubled[0] * doubled[1];
    const ArrayView planes = transformed.view().reshaped(Shape{{"plane", plane}, {"z", doubled[2]}});
    const Index planes_at_once = std::clamp<Index>((Index{1} << 21) / plane, 1, grid[2]);
    Array fine(backend, Shape{{"plane", plane}, {"z", planes_at_once}}, Precision::single);
    const MemoryClaim on_host = backend.claim_on_host(static_cast<std::size_t>(fine.size()) * sizeof(cfloat));
    if (!backend.computes()) {
        return {1};
    }
    auto fine_here = unwritten_vector<cfloat>(static_cast<std::size_t>(fine.size()));
    auto spectrum = unwritten_vector<float>(static_cast<std::size_t>(Shape::image(grid).element_count()));
    for (Index first = 0; first < grid[2]; first += planes_at_once) {
        const Index count = std::min(planes_at_once, grid[2] - first);
        for (Index z = 0; z < count; ++z) {
            backend.copy(planes.slice(step[2] * (first + z)), fine.slice(z));
        }
        download(fine.view().slices(0, count), std::span(fine_here).first(static_cast<std::size_t>(count * plane)));
#pragma omp parallel for schedule(static)
        for (Index row = 0; row < grid[1] * count; ++row) {
            const Index y = row % grid[1], z = row / grid[1];
            float* const to = spectrum.data() + (grid[1] * first + row) * grid[0];
            for (Index x = 0; x < grid[0]; ++x) {
                const Index at = step[0] * x + doubled[0] * (step[1] * y + doubled[1] * z);
                to[x] = std::max(0.0F, fine_here[static_cast<std::size_t>(at)].real());  // below zero by rounding alone
            }
        }
    }
    return spectrum;
}

CirculantPreconditioner::CirculantPreconditioner(Backend& backend, const Shape& image_shape,
                                                 const std::vector<double>& spectrum, Precision precision)
    : CirculantPreconditioner(
          backend, image_shape,
          of_each_frequency([&spectrum](std::size_t i) { return i < spectrum.size() ? spectrum[i] : 0; }), precision) {
    const Index count = backend.listed(Shape::image(circulant_grid(image_shape.matrix_size())).element_count());
    if (std::ssize(spectrum) != count) {
        throw ShapeError(name() + ": " + std::to_string(spectrum.size()) + " eigenvalues, expected " +
                         std::to_string(count));
    }
}

CirculantPreconditioner::CirculantPreconditioner(Backend& backend, const Shape& image_shape,
                                                 const FrequencyRuns& eigenvalues, Precision precision)
    : LinearOperator("circulant preconditioner", backend, image_shape, image_shape, precision),
      inverse_(
          backend, image_shape,
          [&](Index first, std::span<double> values) {
              eigenvalues(first, values);
              for (double& value : values) {
                  value = 1 / value;
              }
          },
          precision) {}

DiagonalPreconditioner::DiagonalPreconditioner(Array diagonal)
    : LinearOperator("diagonal preconditioner", diagonal.backend(), diagonal.shape(), diagonal.shape(),
                     diagonal.precision()),
      diagonal_(std::move(diagonal)) {}

void DiagonalPreconditioner::do_forward(ConstArrayView x, ArrayView y) const { backend().divide(x, diagonal_, y); }

}  // namespace recon
