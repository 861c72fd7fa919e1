#include "core/operators/penalties/local_low_rank.hpp"

#include <algorithm>

#include "core/backend/backend.hpp"
#include "core/base/error.hpp"
#include "core/operators/penalties/shift_sequence.hpp"

namespace recon {

LocalLowRank::LocalLowRank(const Shape& series_shape, int place_count) {
    if (series_shape.rank() != 4) {
        throw ShapeError("locally low rank: the series is " + series_shape.text() + ", expected [x y z frame]");
    }
    const PerAxis<Index> matrix_size = series_shape.matrix_size();
    const PerAxis<Index> block_size = default_block_size(matrix_size);
    for (int place = 0; place < place_count; ++place) {
        places_.push_back({matrix_size, block_size, spread_shift(place, block_size)});
    }
}

PerAxis<Index> LocalLowRank::default_block_size(const PerAxis<Index>& matrix_size) {
    constexpr PerAxis<Index> edge_of_dimensions{64, 8, 4};
    const auto dimensions = std::count_if(matrix_size.begin(), matrix_size.end(), [](Index n) { return n > 1; });
    PerAxis<Index> block_size{};
    for (int axis = 0; axis < 3; ++axis) {
        block_size[axis] = std::min(matrix_size[axis], edge_of_dimensions[std::max<Index>(dimensions, 1) - 1]);
    }
    return block_size;
}

void LocalLowRank::proximal(double threshold, ArrayView z) const {
    Backend& backend = z.backend();
    Array mean(backend, z.shape(), z.precision());
    Array shrunk(backend, z.shape(), z.precision());
    backend.fill(0, mean);
    for (const BlockGrid& blocks : places_) {
        Array norms(backend, {{"block", blocks.count()}}, Precision::double_);
        backend.image_primitives().shrink_singular_values(threshold, blocks, z, shrunk, norms);
        backend.axpby(1.0 / static_cast<double>(places_.size()), shrunk, 1, mean);
    }
    backend.copy(mean, z);
}

double LocalLowRank::value(ConstArrayView z) const {
    Array unused(z.backend(), z.shape(), z.precision());
    double sum = 0;
    for (const BlockGrid& blocks : places_) {
        Array norms(z.backend(), {{"block", blocks.count()}}, Precision::double_);
        z.backend().image_primitives().shrink_singular_values(0, blocks, z, unused, norms);
        for (const cdouble& norm : download<double>(norms)) {
            sum += norm.real();
        }
    }
    return sum / static_cast<double>(places_.size());
}

}  // namespace recon
