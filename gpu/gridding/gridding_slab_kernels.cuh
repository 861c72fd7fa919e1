#pragma once

#include "gpu/device/warp_sums.cuh"
#include "gpu/gridding/gridding_block.cuh"

namespace recon {

/// The points of a plane that a lane looks after: `rounds` at most.
template <int rounds>
struct LanePoints {
    int x[rounds];
    int y[rounds];
    int offset[rounds];
    bool active[rounds];

    template <class T>
    __device__ explicit LanePoints(const GriddingLayout<T>& layout) {
#pragma unroll
        for (int r = 0; r < rounds; ++r) {
            const int point = threadIdx.x % 32 + 32 * r;
            active[r] = point < layout.points[0] * layout.points[1];
            x[r] = active[r] ? point % layout.points[0] : 0;
            y[r] = active[r] ? point / layout.points[0] : 0;
            offset[r] = y[r] * layout.row_stride + x[r];
        }
    }
};

// Kernels for tiles of which shared memory holds a slab of planes at a time.

/// A block spreads one part into shared memory, one sample after the other, on top of what the grid holds, or into a
/// slot. A warp looks after every blockDim / 32-th plane, `planes` of them at a time, a lane after points of them: no
/// two threads ever write the same address, and every sum has one order.
template <class T, int rounds, int planes>
__global__ void __launch_bounds__(most_gridding_threads, 2)
    spread_slab_kernel(const __grid_constant__ GriddingLayout<T> layout, const GriddingPart* parts,
                       const DeviceComplex<T>* samples, DeviceComplex<T>* grid, DeviceComplex<T>* slots) {
    extern __shared__ __align__(16) unsigned char memory[];
    using Complex = DeviceComplex<T>;
    constexpr int chunk = GriddingBlock<T>::chunk;
    const GriddingPart part = parts[blockIdx.x];
    samples += blockIdx.y * layout.sample_count;
    grid += blockIdx.y * layout.grid_elements();
    slots += (blockIdx.y * layout.slot_total + part.first_slot) * layout.slot_size;
    GriddingBlock<T> block(layout, part, memory);
    const LanePoints<rounds> lane(layout);
    const int warp = threadIdx.x / 32;
    const int warps = blockDim.x / 32;  // a power of two

    struct Weighted {
        Complex value[rounds];  // times the weights of x and y
        int offset;
        int first_plane;
    };
    const auto weighted = [&](int s) {
        const Complex value = block.values[s];
        Weighted made;
#pragma unroll
        for (int r = 0; r < rounds; ++r) {
            made.value[r] = block.weight(0, lane.x[r], s) * block.weight(1, lane.y[r], s) * value;
        }
        made.offset = block.offset[s];
        made.first_plane = block.first_plane[s];
        return made;
    };

    for (int first = 0; first < part.extent[2]; first += layout.slab_planes) {
        block.slab.set_planes(first);
        block.slab.begin_sum(grid);
        // Memory answers while the chunk before is worked on: a sample two chunks ahead, its value one.
        auto sample = block.sample_at(0);
        auto next_sample = block.sample_at(chunk);
        Complex value = load_constant(samples + sample.source);
        block.slab.wait_for_grid();
        for (int done = 0; done < part.sample_count; done += chunk) {
            const int count = min(chunk, part.sample_count - done);
            __syncthreads();
            block.make_weights(sample.place);
            if (warp == 0) {
                block.values[threadIdx.x] = value;
            }
            __syncthreads();
            sample = next_sample;
            value = load_constant(samples + sample.source);
            next_sample = block.sample_at(done + 2 * chunk);
            Weighted next = weighted(0);
            for (int s = 0; s < count; ++s) {
                const Weighted now = next;
                next = weighted(min(s + 1, count - 1));
                const int begin = max(now.first_plane, block.slab.begin);
                const int end = min(now.first_plane + layout.points[2], block.slab.end);
                for (int z = begin + ((warp - begin) & (warps - 1)); z < end; z += planes * warps) {
                    Complex* point =
                        block.slab.data + now.offset + (z - now.first_plane - block.slab.begin) * layout.plane_stride;
                    const int step = warps * layout.plane_stride;
                    T weight[planes];
                    Complex before[planes][rounds];
#pragma unroll
                    for (int p = 0; p < planes; ++p) {
                        if (z + p * warps < end) {
                            weight[p] = block.weight(2, z + p * warps - now.first_plane, s);
#pragma unroll
                            for (int r = 0; r < rounds; ++r) {
                                if (lane.active[r]) {
                                    before[p][r] = point[p * step + lane.offset[r]];
                                }
                            }
                        }
                    }
#pragma unroll
                    for (int p = 0; p < planes; ++p) {
#pragma unroll
                        for (int r = 0; r < rounds; ++r) {
                            if (z + p * warps < end && lane.active[r]) {
                                point[p * step + lane.offset[r]] = {before[p][r].re + weight[p] * now.value[r].re,
                                                                    before[p][r].im + weight[p] * now.value[r].im};
                            }
                        }
                    }
                }
                __syncwarp();
            }
        }
        __syncthreads();
        block.slab.end_sum(grid, slots);
        __syncthreads();
    }
}

/// A block copies planes of a tile with its halo to shared memory; its warps take the samples of the part in turn,
/// `group` at a time, lanes the points of a plane.
template <class T, int rounds>
__global__ void __launch_bounds__(most_gridding_threads, 2)
    interpolate_slab_kernel(const __grid_constant__ GriddingLayout<T> layout, const GriddingPart* parts,
                            const DeviceComplex<T>* grid, DeviceComplex<T>* samples) {
    extern __shared__ __align__(16) unsigned char memory[];
    using Complex = DeviceComplex<T>;
    constexpr int chunk = GriddingBlock<T>::chunk;
    constexpr int group = 4;
    const GriddingPart part = parts[blockIdx.x];
    samples += blockIdx.y * layout.sample_count;
    grid += blockIdx.y * layout.grid_elements();
    GriddingBlock<T> block(layout, part, memory);
    const LanePoints<rounds> lane(layout);

    const auto sum_of_lane = [&](int s) {
        Complex sums[rounds]{};
        const auto add_plane = [&](const Complex* plane, T weight) {
#pragma unroll
            for (int r = 0; r < rounds; ++r) {
                const Complex value = plane[lane.offset[r]];
                sums[r] = {sums[r].re + weight * value.re, sums[r].im + weight * value.im};
            }
        };
        const Complex* first_point = block.slab.data + block.offset[s];
        const int first_plane = block.first_plane[s];
        const int end = min(first_plane + layout.points[2], block.slab.end);
#pragma unroll 4
        for (int z = max(first_plane, block.slab.begin); z < end; ++z) {
            add_plane(first_point + (z - first_plane - block.slab.begin) * layout.plane_stride,
                      block.weight(2, z - first_plane, s));
        }
        Complex total{0, 0};
#pragma unroll
        for (int r = 0; r < rounds; ++r) {
            if (lane.active[r]) {
                const T of_row = block.weight(0, lane.x[r], s) * block.weight(1, lane.y[r], s);
                total = {total.re + of_row * sums[r].re, total.im + of_row * sums[r].im};
            }
        }
        return total;
    };

    for (int first = 0; first < part.extent[2]; first += layout.slab_planes) {
        block.slab.set_planes(first);
        auto sample = block.sample_at(0);
        block.slab.read_grid(grid);
        block.slab.wait_for_grid();
        for (int done = 0; done < part.sample_count; done += chunk) {
            const int count = min(chunk, part.sample_count - done);
            const Index source = sample.source;
            __syncthreads();
            block.make_weights(sample.place);
            sample = block.sample_at(done + chunk);
            __syncthreads();
            for (int s = threadIdx.x / 32 * group; s < count; s += blockDim.x / 32 * group) {
                T component[2 * group];
#pragma unroll
                for (int i = 0; i < group; ++i) {
                    const Complex total = sum_of_lane(min(s + i, count - 1));
                    component[2 * i] = total.re;
                    component[2 * i + 1] = total.im;
                }
                const T sum = warp_sums(component);
                constexpr int lanes = 32 / (2 * group);
                if (threadIdx.x % lanes == 0) {
                    reinterpret_cast<T*>(block.values + s)[threadIdx.x % 32 / lanes] = sum;
                }
            }
            __syncthreads();
            if (threadIdx.x < count) {
                Complex& to = samples[source];
                const Complex here = block.values[threadIdx.x];
                to = first == 0 ? here : to + here;
            }
        }
        __syncthreads();
    }
}

}  // namespace recon
