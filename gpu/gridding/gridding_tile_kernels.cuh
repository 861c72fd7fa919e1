#pragma once

#include "gpu/device/warp_sums.cuh"
#include "gpu/gridding/gridding_samples.cuh"
#include "gpu/gridding/gridding_slab.cuh"

namespace recon {

// Kernels for tiles that shared memory holds as a whole.

inline constexpr int interpolating_warps = 4;

/// Shared memory of a block of these kernels: the tile, and the samples of its warps.
template <class T, int planes>
std::size_t tile_kernel_bytes(const GriddingLayout<T>& layout, int warps) {
    return layout.slab_size() * sizeof(DeviceComplex<T>) + warps * SampleChunk<T, planes>::bytes(layout);
}

/// The vectors of a tile that one sample touches, as one lane meets them.
template <class T, int rounds, int planes>
struct SampleReader {
    using Lanes = SampleLanes<T, rounds, planes>;

    const GriddingLayout<T>& layout;
    const SampleChunk<T, planes>& chunk;
    const Lanes& lanes;

    /// Calls function(step, weight of z, offset of the lane's plane).
    template <class Function>
    __device__ void for_each_step(int sample, Function&& function) const {
        T weight[Lanes::weights_of_z];
        if constexpr (planes > 1 && Lanes::planes_at_once == 1) {
            chunk.all_z(sample, weight);
        }
#pragma unroll
        for (int step = 0; step < Lanes::steps; ++step) {
            if (lanes.takes_part(step)) {
                const int first_plane = step * Lanes::planes_at_once;
                const T of_z = planes == 1                  ? T{1}
                               : Lanes::planes_at_once == 1 ? weight[step]
                                                            : chunk.z(first_plane + lanes.plane, sample);
                function(step, of_z, first_plane * layout.plane_stride);
            }
        }
    }
};

/// A warp spreads one part into shared memory, one sample after the other, on top of what the grid holds, or into a
/// slot. No two lanes ever write the same address for one sample, and every sum has one order.
template <class T, int rounds, int planes>
__global__ void __launch_bounds__(32)
    spread_tile_kernel(const __grid_constant__ GriddingLayout<T> layout, const GriddingPart* parts,
                       const DeviceComplex<T>* samples, DeviceComplex<T>* grid, DeviceComplex<T>* slots) {
    extern __shared__ __align__(16) unsigned char memory[];
    using Complex = DeviceComplex<T>;
    using Vector = PointVector<T>;
    using Chunk = SampleChunk<T, planes>;
    using Lanes = SampleLanes<T, rounds, planes>;
    const GriddingPart part = parts[blockIdx.x];
    samples += blockIdx.y * layout.sample_count;
    grid += blockIdx.y * layout.grid_elements();
    slots += (blockIdx.y * layout.slot_total + part.first_slot) * layout.slot_size;
    GriddingSlab<T> slab(layout, part, reinterpret_cast<Complex*>(memory));
    Chunk chunk(layout, reinterpret_cast<unsigned char*>(slab.data + layout.slab_size()));
    const Lanes lanes(layout);
    const SampleReader<T, rounds, planes> reader{layout, chunk, lanes};

    slab.set_planes(0);
    slab.begin_sum(grid);
    // Memory answers while the chunk before is worked on: a place and a source two chunks ahead, the value one.
    const auto rank_at = [&](int done) {
        return part.first_sample + min(done + static_cast<int>(threadIdx.x), part.sample_count - 1);
    };
    GriddingPlace<T> place = layout.places[rank_at(0)];
    GriddingPlace<T> next_place = layout.places[rank_at(Chunk::size)];
    Index next_source = layout.sources[rank_at(Chunk::size)];
    Complex value = load_constant(samples + layout.sources[rank_at(0)]);
    slab.wait_for_grid();

    struct Weighted {
        Vector value[rounds];  // times the weights of x and y
        int offset;
    };
    const auto weighted = [&](int s) {
        Weighted made;
        made.offset = chunk.offset(s);
#pragma unroll
        for (int r = 0; r < rounds; ++r) {
            const typename Chunk::RowWeights x = chunk.x(lanes.vector[r], s);
            const Complex of_row = chunk.y(lanes.row[r], s) * chunk.value(s);
#pragma unroll
            for (int i = 0; i < Vector::size; ++i) {
                made.value[r].point[i] = x.of_point[i] * of_row;
            }
        }
        return made;
    };

    for (int done = 0; done < part.sample_count; done += Chunk::size) {
        const int count = min(Chunk::size, part.sample_count - done);
        __syncwarp();
        chunk.make_weights(place);
        chunk.value(threadIdx.x) = value;
        place = next_place;
        value = load_constant(samples + next_source);
        next_place = layout.places[rank_at(done + 2 * Chunk::size)];
        next_source = layout.sources[rank_at(done + 2 * Chunk::size)];
        __syncwarp();
        Weighted next = weighted(0);
#pragma unroll 2
        for (int s = 0; s < count; ++s) {
            const Weighted now = next;
            next = weighted(s + 1);  // behind the last one: unused
            if (rounds > 1 || lanes.active[0]) {
                const auto for_each_vector = [&](int offset, auto&& function) {
#pragma unroll
                    for (int r = 0; r < rounds; ++r) {
                        if (r + 1 < rounds || lanes.active[r]) {
                            function(r, *reinterpret_cast<Vector*>(slab.data + now.offset + offset + lanes.offset[r]));
                        }
                    }
                };
                T weight[Lanes::steps];
                Vector before[Lanes::steps][rounds];
                reader.for_each_step(s, [&](int step, T of_z, int offset) {
                    weight[step] = of_z;
                    for_each_vector(offset, [&](int r, Vector& point) { before[step][r] = point; });
                });
#pragma unroll
                for (int step = 0; step < Lanes::steps; ++step) {
                    if (lanes.takes_part(step)) {
                        for_each_vector(step * Lanes::planes_at_once * layout.plane_stride, [&](int r, Vector& point) {
                            Vector sum;
#pragma unroll
                            for (int i = 0; i < Vector::size; ++i) {
                                const Complex add = now.value[r].point[i];
                                const Complex old = before[step][r].point[i];
                                sum.point[i] = {old.re + weight[step] * add.re, old.im + weight[step] * add.im};
                            }
                            point = sum;
                        });
                    }
                }
            }
            __syncwarp();
        }
    }
    slab.end_sum(grid, slots);
}

/// A block copies a tile with its halo to shared memory; its warps take the samples of the part in turn, a chunk at a
/// time, lanes the vectors that a sample touches.
template <class T, int rounds, int planes>
__global__ void __launch_bounds__(32 * interpolating_warps, 6)
    interpolate_tile_kernel(const __grid_constant__ GriddingLayout<T> layout, const GriddingPart* parts,
                            const DeviceComplex<T>* grid, DeviceComplex<T>* samples) {
    extern __shared__ __align__(16) unsigned char memory[];
    using Complex = DeviceComplex<T>;
    using Vector = PointVector<T>;
    using Chunk = SampleChunk<T, planes>;
    constexpr int group = 4;  // samples whose sums over the lanes are taken at a time
    const GriddingPart part = parts[blockIdx.x];
    samples += blockIdx.y * layout.sample_count;
    const int warp = threadIdx.x / 32;
    const int lane = threadIdx.x % 32;
    GriddingSlab<T> slab(layout, part, reinterpret_cast<Complex*>(memory));
    slab.set_planes(0);
    slab.read_grid(grid + blockIdx.y * layout.grid_elements());
    Chunk chunk(layout, reinterpret_cast<unsigned char*>(slab.data + layout.slab_size()) + warp * Chunk::bytes(layout));
    const SampleLanes<T, rounds, planes> lanes(layout);
    const SampleReader<T, rounds, planes> reader{layout, chunk, lanes};

    const auto sum_of_lane = [&](int s) {
        Vector sum[rounds]{};
        const Complex* first_point = slab.data + chunk.offset(s);
        reader.for_each_step(s, [&](int, T weight, int offset) {
#pragma unroll
            for (int r = 0; r < rounds; ++r) {
                if (r + 1 < rounds || lanes.active[r]) {
                    const Vector here = *reinterpret_cast<const Vector*>(first_point + offset + lanes.offset[r]);
#pragma unroll
                    for (int i = 0; i < Vector::size; ++i) {
                        sum[r].point[i] = {sum[r].point[i].re + weight * here.point[i].re,
                                           sum[r].point[i].im + weight * here.point[i].im};
                    }
                }
            }
        });
        Complex total{0, 0};
#pragma unroll
        for (int r = 0; r < rounds; ++r) {
            const typename Chunk::RowWeights x = chunk.x(lanes.vector[r], s);
            Complex of_row{0, 0};
#pragma unroll
            for (int i = 0; i < Vector::size; ++i) {
                of_row = {of_row.re + x.of_point[i] * sum[r].point[i].re,
                          of_row.im + x.of_point[i] * sum[r].point[i].im};
            }
            const T y = chunk.y(lanes.row[r], s);
            total = {total.re + y * of_row.re, total.im + y * of_row.im};
        }
        return total;
    };

    const auto rank_at = [&](int done) { return part.first_sample + min(done + lane, part.sample_count - 1); };
    constexpr int stride = Chunk::size * interpolating_warps;
    int done = Chunk::size * warp;
    GriddingPlace<T> place = layout.places[rank_at(done)];
    Index next_source = layout.sources[rank_at(done)];
    slab.wait_for_grid();
    __syncthreads();
    for (; done < part.sample_count; done += stride) {
        const int count = min(Chunk::size, part.sample_count - done);
        const Index source = next_source;
        __syncwarp();
        chunk.make_weights(place);
        place = layout.places[rank_at(done + stride)];
        next_source = layout.sources[rank_at(done + stride)];
        __syncwarp();
        for (int s = 0; s < count; s += group) {
            T component[2 * group]{};
            if (rounds > 1 || lanes.active[0]) {
#pragma unroll
                for (int i = 0; i < group; ++i) {
                    const Complex total = sum_of_lane(min(s + i, count - 1));
                    component[2 * i] = total.re;
                    component[2 * i + 1] = total.im;
                }
            }
            const T sum = warp_sums(component);
            constexpr int lanes_a_sum = 32 / (2 * group);
            if (lane % lanes_a_sum == 0) {
                reinterpret_cast<T*>(&chunk.value(s))[lane / lanes_a_sum] = sum;
            }
        }
        __syncwarp();
        if (lane < count) {
            samples[source] = chunk.value(lane);
        }
    }
}

}  // namespace recon
