#pragma once

#include "core/base/types.hpp"

namespace recon {

/// A division of an image into blocks of voxels: a grid of boxes of `block_size`, moved back by `shift` voxels and cut
/// at the image's edges.
struct BlockGrid {
    PerAxis<Index> matrix_size{};
    PerAxis<Index> block_size{};
    PerAxis<Index> shift{};  ///< 0 <= shift < block size

    struct Box {
        PerAxis<Index> first;
        PerAxis<Index> count;
        constexpr Index voxel_count() const { return count[0] * count[1] * count[2]; }
        /// Index in the image of voxel n of the box.
        constexpr Index voxel(Index n, const PerAxis<Index>& matrix_size) const {
            const Index x = first[0] + n % count[0];
            const Index y = first[1] + n / count[0] % count[1];
            const Index z = first[2] + n / (count[0] * count[1]);
            return x + matrix_size[0] * (y + matrix_size[1] * z);
        }
    };

    constexpr Index count(int axis) const {
        return (matrix_size[axis] + shift[axis] + block_size[axis] - 1) / block_size[axis];
    }
    constexpr Index count() const { return count(0) * count(1) * count(2); }
    constexpr Box box(Index block) const {
        const PerAxis<Index> place{block % count(0), block / count(0) % count(1), block / (count(0) * count(1))};
        Box box{};
        for (int axis = 0; axis < 3; ++axis) {
            const Index begin = place[axis] * block_size[axis] - shift[axis];
            const Index end = begin + block_size[axis];
            box.first[axis] = begin > 0 ? begin : 0;
            box.count[axis] = (end < matrix_size[axis] ? end : matrix_size[axis]) - box.first[axis];
        }
        return box;
    }
};

}  // namespace recon
