#include "core/cpu/cpu_image_primitives.hpp"

#include <algorithm>

namespace recon {
namespace {

constexpr Index piece_length = 1 << 14;

/// An image seen along one axis: blocks in which neighbours are `stride` apart.
struct AxisBlocks {
    AxisBlocks(const Shape& shape, int axis) {
        for (int faster = 0; faster < axis; ++faster) {
            stride *= shape.extent(faster);
        }
        length = stride * shape.extent(axis);
        count = shape.element_count() / length;
    }

    Index stride = 1;
    Index length;
    Index count;
};

/// Calls function(start of the block, first, end) for pieces of all blocks, in parallel.
template <class Function>
void for_each_piece(const AxisBlocks& blocks, Function&& function) {
    const Index pieces = (blocks.length + piece_length - 1) / piece_length;
#pragma omp parallel for schedule(static)
    for (Index piece = 0; piece < blocks.count * pieces; ++piece) {
        const Index first = piece % pieces * piece_length;
        function(piece / pieces * blocks.length, first, std::min(first + piece_length, blocks.length));
    }
}

}  // namespace

void CpuImagePrimitives::do_difference(int axis, ConstArrayView x, ArrayView y) const {
    const AxisBlocks blocks(x.shape(), axis);
    with_precision(y.precision(), [&](auto tag) {
        using T = decltype(tag);
        for_each_piece(blocks, [&](Index block, Index first, Index end) {
            const std::complex<T>* in = x.data<T>() + block;
            std::complex<T>* out = y.data<T>() + block;
            const Index last_run = std::clamp(blocks.length - blocks.stride, first, end);
            for (Index n = first; n < last_run; ++n) {
                out[n] = in[n + blocks.stride] - in[n];
            }
            std::fill(out + last_run, out + end, std::complex<T>(0));
        });
    });
}

void CpuImagePrimitives::do_add_adjoint_difference(int axis, ConstArrayView x, ArrayView y) const {
    const AxisBlocks blocks(x.shape(), axis);
    with_precision(y.precision(), [&](auto tag) {
        using T = decltype(tag);
        for_each_piece(blocks, [&](Index block, Index first, Index end) {
            const std::complex<T>* in = x.data<T>() + block;
            std::complex<T>* out = y.data<T>() + block;
            for (Index n = first; n < std::min(end, blocks.length - blocks.stride); ++n) {
                out[n] -= in[n];
            }
            for (Index n = std::max(first, blocks.stride); n < end; ++n) {
                out[n] += in[n - blocks.stride];
            }
        });
    });
}

}  // namespace recon
