#include "core/backend/cpu/cpu_image_primitives.hpp"

#include <algorithm>
#include <vector>

#include "core/backend/cpu/vector_pieces.hpp"

namespace recon {
namespace {

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

constexpr double neighbour_ns = 1;  ///< to read one, roughly

/// Calls function(start of the block, first, end) for pieces of all blocks, in parallel where that is worth it.
/// @param neighbours  that are read for each voxel
template <class Function>
void for_each_piece(const AxisBlocks& blocks, Index neighbours, Function&& function) {
    const Index pieces = (blocks.length + piece_length - 1) / piece_length;
    const int threads =
        worthwhile_threads(neighbour_ns * static_cast<double>(blocks.count * blocks.length * neighbours));
#pragma omp parallel for schedule(static) num_threads(threads) if (threads > 1)
    for (Index piece = 0; piece < blocks.count * pieces; ++piece) {
        const Index first = piece % pieces * piece_length;
        function(piece / pieces * blocks.length, first, std::min(first + piece_length, blocks.length));
    }
}

/// v^2 of the pairs along an axis, whose first voxels are counted from 0.
template <class T>
struct SquaredWeights {
    T squared_factor;
    const std::complex<T>* weights;  ///< null: 1
    T operator()(Index n) const {
        return weights == nullptr ? squared_factor : squared_factor * weights[n].real() * weights[n].real();
    }
};

/// out[i] += v^2 (in[i] - in[i + stride]) and out[i] += v^2 (in[i] - in[i - stride]) for a row of voxels that all have,
/// or all lack, that neighbour.
template <class T>
void add_across(const SquaredWeights<T>& weights, Index row, Index row_length, Index stride, bool has_next,
                bool has_previous, const std::complex<T>* in, std::complex<T>* out) {
    for (Index n = row; has_next && n < row + row_length; ++n) {
        out[n] += weights(n) * (in[n] - in[n + stride]);
    }
    for (Index n = row; has_previous && n < row + row_length; ++n) {
        out[n] += weights(n - stride) * (in[n] - in[n - stride]);
    }
}

}  // namespace

void CpuImagePrimitives::do_difference(int axis, ConstArrayView x, ArrayView y) const {
    const AxisBlocks blocks(x.shape(), axis);
    with_precision(y.precision(), [&](auto tag) {
        using T = decltype(tag);
        for_each_piece(blocks, 2, [&](Index block, Index first, Index end) {
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
        for_each_piece(blocks, 2, [&](Index block, Index first, Index end) {
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

void CpuImagePrimitives::do_pick(const PerAxis<std::vector<Index>>& places, ConstArrayView x, ArrayView y) const {
    const PerAxis<Index> size = y.shape().matrix_size(), of_x = x.shape().matrix_size();
    const int threads = worthwhile_threads(neighbour_ns * static_cast<double>(y.size()));
    with_precision(y.precision(), [&](auto tag) {
        using T = decltype(tag);
#pragma omp parallel for schedule(static) num_threads(threads) if (threads > 1)
        for (Index row = 0; row < size[1] * size[2]; ++row) {
            const Index place_y = places[1][static_cast<std::size_t>(row % size[1])];
            const Index place_z = places[2][static_cast<std::size_t>(row / size[1])];
            const std::complex<T>* const in = x.data<T>() + of_x[0] * (place_y + of_x[1] * place_z);
            std::transform(places[0].begin(), places[0].end(), y.data<T>() + row * size[0],
                           [in](Index place) { return in[place]; });
        }
    });
}

void CpuImagePrimitives::do_smooth(int axis, std::span<const double> weights, ConstArrayView x, ArrayView y) const {
    const AxisBlocks blocks(x.shape(), axis);
    const auto reach = static_cast<Index>(weights.size()) - 1;
    const Index extent = blocks.length / blocks.stride;
    with_precision(y.precision(), [&](auto tag) {
        using T = decltype(tag);
        const auto weight_of = [&](Index j) { return static_cast<T>(weights[static_cast<std::size_t>(std::abs(j))]); };
        std::vector<T> totals(static_cast<std::size_t>(extent));  // of the weights that lie inside
        for (Index at = 0; at < extent; ++at) {
            for (Index j = std::max(-reach, -at); j <= std::min(reach, extent - 1 - at); ++j) {
                totals[static_cast<std::size_t>(at)] += weight_of(j);
            }
        }
        for_each_piece(blocks, 2 * reach + 1, [&](Index block, Index first, Index end) {
            const std::complex<T>* in = x.data<T>() + block;
            std::complex<T>* out = y.data<T>() + block;
            std::fill(out + first, out + end, std::complex<T>(0));
            for (Index j = -reach; j <= reach; ++j) {
                const Index shift = j * blocks.stride;
                for (Index n = std::max(first, -shift); n < std::min(end, blocks.length - shift); ++n) {
                    out[n] += weight_of(j) * in[n + shift];
                }
            }
            for (Index row = first; row < end;) {  // of voxels that have one place along the axis
                const Index at = row / blocks.stride;
                const Index row_end = std::min(end, (at + 1) * blocks.stride);
                for (; row < row_end; ++row) {
                    out[row] /= totals[static_cast<std::size_t>(at)];
                }
            }
        });
    });
}

void CpuImagePrimitives::do_difference_normal(const DifferenceWeights& weights, ConstArrayView x, ArrayView z) const {
    const PerAxis<Index> n = x.shape().matrix_size();
    const PerAxis<Index> stride{1, n[0], n[0] * n[1]};
    with_precision(z.precision(), [&](auto tag) {
        using T = decltype(tag);
        PerAxis<SquaredWeights<T>> squared{};
        Index slot = 0;
        for (int axis = 0; axis < 3; ++axis) {
            const bool weighted = weights.weights && n[axis] > 1;
            squared[axis] = {static_cast<T>(weights.factors[axis] * weights.factors[axis]),
                             weighted ? weights.weights->slice(slot).template data<T>() : nullptr};
            slot += n[axis] > 1 ? 1 : 0;
        }
        const std::complex<T>* in = x.data<T>();
        std::complex<T>* out = z.data<T>();
        constexpr Index neighbours = 6;
        const int threads = worthwhile_threads(neighbour_ns * static_cast<double>(neighbours * x.size()));
#pragma omp parallel for schedule(static) num_threads(threads) if (threads > 1)
        for (Index line = 0; line < n[1] * n[2]; ++line) {
            const PerAxis<Index> at{0, line % n[1], line / n[1]};
            const Index row = line * n[0];
            std::fill_n(out + row, n[0], std::complex<T>(0));
            add_across(squared[0], row, n[0] - 1, 1, true, false, in, out);
            add_across(squared[0], row + 1, n[0] - 1, 1, false, true, in, out);
            for (int axis = 1; axis < 3; ++axis) {
                add_across(squared[axis], row, n[0], stride[axis], at[axis] + 1 < n[axis], at[axis] > 0, in, out);
            }
        }
    });
}

}  // namespace recon
