#pragma once

#include <cstddef>

#include "core/base/error.hpp"
#include "core/base/types.hpp"

namespace recon {

/// Calls function(i, j, slot) for each pair of neighbours of an image [x y z], i the one with the smaller index; `slot`
/// counts the axes that have more than one voxel.
template <class Function>
void for_each_pair(PerAxis<Index> matrix_size, Function&& function) {
    int slot = 0;
    Index stride = 1;
    for (int axis = 0; axis < 3; ++axis) {
        const Index n = matrix_size[axis];
        if (n > 1) {
            const Index outer_count = matrix_size[0] * matrix_size[1] * matrix_size[2] / (stride * n);
            for (Index outer = 0; outer < outer_count; ++outer) {
                const Index first = outer * stride * n;
                for (Index i = first; i < first + (n - 1) * stride; ++i) {
                    function(i, i + stride, slot);
                }
            }
            ++slot;
        }
        stride *= n;
    }
}

/// @throws ShapeError unless that many numbers fill the image
inline void require_voxels(std::size_t count, PerAxis<Index> matrix_size) {
    if (static_cast<Index>(count) != matrix_size[0] * matrix_size[1] * matrix_size[2]) {
        throw ShapeError("an image and its matrix differ in size");
    }
}

}  // namespace recon
