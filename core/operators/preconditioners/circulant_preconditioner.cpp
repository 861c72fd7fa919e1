#include "core/operators/preconditioners/circulant_preconditioner.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/backend/backend.hpp"
#include "core/backend/transfer_by_pieces.hpp"
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

Array reciprocal(ConstArrayView spectrum) {
    Array result(spectrum.backend(), spectrum.shape(), spectrum.precision());
    spectrum.backend().fill(1, result);
    spectrum.backend().divide(result, spectrum, result);
    return result;
}

Array uploaded(Backend& backend, const Shape& image_shape, std::span<const double> spectrum, Precision precision) {
    if (!std::ranges::all_of(spectrum, [](double value) { return value > 0 && std::isfinite(value); })) {
        throw ShapeError("circulant preconditioner: expected eigenvalues that are all positive and finite");
    }
    Array result(backend, Shape::image(circulant_grid(image_shape.matrix_size())), precision);
    upload_real(spectrum, result);
    return result;
}

}  // namespace

std::vector<float> circulant_spectrum(Backend& backend, ConstArrayView q, const CoilSensitivity& coils,
                                      PerAxis<Index> matrix_size, Communicator& ranks) {
    const PerAxis<Index> grid = circulant_grid(matrix_size);
    const PerAxis<Index> doubled = doubled_size(grid);
    const Array overlap = autocorrelation(backend, coils, matrix_size, doubled, ranks);
    Array weighted(backend, overlap.shape(), Precision::double_);
    backend.multiply(Conjugate::yes, overlap, q.reshaped(overlap.shape()), Accumulate::no, weighted);
    const VoxelGrid differences = VoxelGrid::differences(matrix_size);
    Array transformed(backend, Shape::image(doubled).with_axis("batch", 1), Precision::double_);
    backend.make_padded_fft(geometry_of(differences, doubled), Precision::double_)->forward(weighted, transformed);

    PerAxis<std::vector<Index>> places;
    for (int axis = 0; axis < 3; ++axis) {
        for (Index i = 0; i < grid[axis]; ++i) {
            places[axis].push_back(doubled[axis] / grid[axis] * i);
        }
    }
    Array eigenvalues(backend, Shape::image(grid), Precision::double_);
    backend.image_primitives().pick(places, transformed.view().reshaped(Shape::image(doubled)), eigenvalues);
    auto spectrum = unwritten_vector<float>(static_cast<std::size_t>(listed_size(eigenvalues)));
    download_by_pieces(eigenvalues, [&](std::size_t i, cfloat value) {
        spectrum[i] = std::max(0.0F, value.real());  // below zero by rounding alone
    });
    return spectrum;
}

CirculantPreconditioner::CirculantPreconditioner(const Shape& image_shape, ConstArrayView spectrum)
    : LinearOperator("circulant preconditioner", spectrum.backend(), image_shape, image_shape, spectrum.precision()),
      inverse_(image_shape, reciprocal(spectrum)) {}

CirculantPreconditioner::CirculantPreconditioner(Backend& backend, const Shape& image_shape,
                                                 std::span<const double> spectrum, Precision precision)
    : CirculantPreconditioner(image_shape, uploaded(backend, image_shape, spectrum, precision)) {}

DiagonalPreconditioner::DiagonalPreconditioner(Array diagonal)
    : LinearOperator("diagonal preconditioner", diagonal.backend(), diagonal.shape(), diagonal.shape(),
                     diagonal.precision()),
      diagonal_(std::move(diagonal)) {}

void DiagonalPreconditioner::do_forward(ConstArrayView x, ArrayView y) const { backend().divide(x, diagonal_, y); }

}  // namespace recon
