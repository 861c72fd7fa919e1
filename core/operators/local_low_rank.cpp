#include "core/operators/local_low_rank.hpp"

#include <algorithm>

#include "core/backend.hpp"
#include "core/error.hpp"
#include "core/shift_sequence.hpp"

namespace recon {

LocalLowRank::LocalLowRank(const Shape& series_shape) {
    if (series_shape.rank() != 4) {
        throw ShapeError("locally low rank: the series is " + series_shape.text() + ", expected [x y z frame]");
    }
    blocks_.matrix_size = series_shape.matrix_size();
    blocks_.block_size = default_block_size(blocks_.matrix_size);
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

BlockGrid LocalLowRank::blocks_of(int iteration) const {
    BlockGrid blocks = blocks_;
    blocks.shift = shift_of_iteration(iteration, blocks_.block_size);
    return blocks;
}

void LocalLowRank::proximal(double threshold, int iteration, ArrayView z) const {
    const BlockGrid blocks = blocks_of(iteration);
    Array series(z.backend(), z.shape(), z.precision());
    z.backend().copy(z, series);
    Array norms(z.backend(), {{"block", blocks.count()}}, Precision::double_);
    z.backend().image_primitives().shrink_singular_values(threshold, blocks, series, z, norms);
}

double LocalLowRank::value(ConstArrayView z) const {
    Array unused(z.backend(), z.shape(), z.precision());
    Array norms(z.backend(), {{"block", blocks_.count()}}, Precision::double_);
    z.backend().image_primitives().shrink_singular_values(0, blocks_, z, unused, norms);
    double sum = 0;
    for (const cdouble& norm : download<double>(norms)) {
        sum += norm.real();
    }
    return sum;
}

}  // namespace recon
