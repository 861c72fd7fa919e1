#include "core/operators/circulant_filter.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <string>

#include "core/backend/backend.hpp"
#include "core/backend/transfer_by_pieces.hpp"
#include "core/base/error.hpp"
#include "core/fourier/gridding_kernel.hpp"

namespace recon {

PerAxis<Index> circulant_grid(PerAxis<Index> matrix_size) {
    PerAxis<Index> grid{};
    for (int axis = 0; axis < 3; ++axis) {
        grid[axis] = matrix_size[axis] == 1 ? 1 : next_fft_size(matrix_size[axis]);
    }
    return grid;
}

CirculantFilter::CirculantFilter(Backend& backend, const Shape& image_shape, const FrequencyRuns& factors,
                                 Precision precision)
    : LinearOperator("circulant filter", backend, image_shape, image_shape, precision) {
    Array of_grid(backend, Shape::image(circulant_grid(image_shape.matrix_size())), precision);
    std::atomic<bool> is_positive = true;
    upload_by_runs(of_grid, [&](Index first, std::span<double> values) {
        factors(first, values);
        if (!std::ranges::all_of(values, [](double value) { return value > 0 && std::isfinite(value); })) {
            is_positive.store(false, std::memory_order_relaxed);
        }
    });
    if (!is_positive) {
        throw ShapeError(name() + ": expected " + std::to_string(of_grid.size()) + " positive, finite factors");
    }
    plan_ = backend.make_circulant(image_shape, of_grid, precision);
}

}  // namespace recon
