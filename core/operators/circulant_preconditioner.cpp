#include "core/operators/circulant_preconditioner.hpp"

#include <algorithm>
#include <cmath>

namespace recon {
namespace {

/// Smallest sampling density, relative to the mean over the grid, that is divided by.
constexpr double density_floor = 0.1;

PerAxis<Index> grid_of(PerAxis<Index> matrix_size) {
    PerAxis<Index> grid{};
    std::transform(matrix_size.begin(), matrix_size.end(), grid.begin(), [](Index n) { return next_fft_size(n); });
    return grid;
}

/// sum over all differences that fall on one grid point of Q(j) prod (1 - |j| / N), in FFT order.
std::vector<cdouble> wrapped_and_tapered(PerAxis<Index> n, PerAxis<Index> grid, const std::vector<cdouble>& q) {
    const auto taper = [&](int axis, Index j) {
        return 1 - static_cast<double>(std::abs(j)) / static_cast<double>(n[axis]);
    };
    const auto wrap = [&](int axis, Index j) { return (j + grid[axis]) % grid[axis]; };
    std::vector<cdouble> wrapped(grid[0] * grid[1] * grid[2]);
    std::size_t from = 0;
    for (Index z = 1 - n[2]; z < n[2]; ++z) {
        for (Index y = 1 - n[1]; y < n[1]; ++y) {
            const double taper_yz = taper(1, y) * taper(2, z);
            cdouble* row = wrapped.data() + (wrap(2, z) * grid[1] + wrap(1, y)) * grid[0];
            for (Index x = 1 - n[0]; x < n[0]; ++x) {
                row[wrap(0, x)] += taper_yz * taper(0, x) * q[from++];
            }
        }
    }
    return wrapped;
}

/// The FFT of a whole grid whose index 0 is the origin.
std::unique_ptr<PaddedFftPlan> whole_grid_fft(Backend& backend, PerAxis<Index> grid) {
    VoxelGrid image = VoxelGrid::image(grid);
    image.origin = {0, 0, 0};
    PaddedFftGeometry geometry{image, grid, {}};
    for (int axis = 0; axis < 3; ++axis) {
        geometry.weight[axis].assign(grid[axis], 1.0);
    }
    return backend.make_padded_fft(geometry, Precision::double_);
}

Array inverse_spectrum(Backend& backend, PerAxis<Index> n, ConstArrayView q, double lambda, Precision precision) {
    const PerAxis<Index> grid = grid_of(n);
    const Shape shape = Shape::image(grid);
    const std::vector<cdouble> all = download<double>(q);
    const double q_centre = all[all.size() / 2].real();
    std::vector<cdouble> density = wrapped_and_tapered(n, grid, all);
    {
        Array tapered(backend, shape.with_axis("batch", 1), Precision::double_);
        Array transformed(backend, shape.with_axis("batch", 1), Precision::double_);
        upload(density, tapered);
        whole_grid_fft(backend, grid)->forward(tapered, transformed);
        download(transformed, std::span<cdouble>(density));
    }
    const double grid_points = static_cast<double>(shape.element_count());
    for (cdouble& p : density) {
        p = 1 / (std::max(p.real() + lambda * q_centre, density_floor * q_centre) * grid_points);
    }
    Array inverse(backend, shape, precision);
    upload(density, inverse);
    return inverse;
}

}  // namespace

CirculantPreconditioner::CirculantPreconditioner(Backend& backend, PerAxis<Index> matrix_size, ConstArrayView q,
                                                 double lambda, Precision precision)
    : LinearOperator("circulant preconditioner", backend, Shape::image(matrix_size), Shape::image(matrix_size),
                     precision),
      inverse_spectrum_(inverse_spectrum(backend, matrix_size, q, lambda, precision)) {
    PaddedFftGeometry geometry{VoxelGrid::image(matrix_size), grid_of(matrix_size), {}};
    for (int axis = 0; axis < 3; ++axis) {
        geometry.weight[axis].assign(matrix_size[axis], 1.0);
    }
    fft_ = backend.make_padded_fft(geometry, precision);
}

void CirculantPreconditioner::do_forward(ConstArrayView x, ArrayView y) const {
    const Shape grid_shape = inverse_spectrum_.shape();
    Array grid(backend(), grid_shape, precision());
    const ArrayView batch = grid.view().reshaped(grid_shape.with_axis("batch", 1));
    fft_->forward(x.reshaped(x.shape().with_axis("batch", 1)), batch);
    backend().multiply(Conjugate::no, inverse_spectrum_, grid, Accumulate::no, grid);
    fft_->adjoint(batch, y.reshaped(y.shape().with_axis("batch", 1)));
}

}  // namespace recon
