#pragma once

#include "gpu/gridding_samples.cuh"
#include "gpu/gridding_slab.cuh"
#include "gpu/warp_sums.cuh"

namespace recon {

// Kernels for tiles that shared memory holds as a whole. `images` of them share the places and weights of the samples.

inline constexpr int interpolating_warps = 4;

/// Shared memory of a block of these kernels: the tiles of its images, and the samples of its warps.
template <class T, int planes>
std::size_t tile_kernel_bytes(const GriddingLayout<T>& layout, int images, int warps) {
    return images * layout.slab_size() * sizeof(DeviceComplex<T>) +
           warps * SampleChunk<T, planes>::bytes(layout, images);
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
                const T of_z = planes == 1                 ? T{1}
                               : Lanes::planes_at_once == 1 ? weight[step]
                                                            : chunk.z(step * Lanes::planes_at_once + lanes.plane, sample);
                function(step, of_z, step * Lanes::planes_at_once * layout.plane_stride);
            }
        }
    }
};

/// A warp spreads one part into shared memory, one sample after the other, on top of what the grid holds, or into a
/// slot. No two lanes ever write the same address for one sample, and every sum has one order.
template <class T, int rounds, int planes, int images>
__global__ void __launch_bounds__(32)
    spread_tile_kernel(const __grid_constant__ GriddingLayout<T> layout, const GriddingPart* parts,
                       const DeviceComplex<T>* samples, DeviceComplex<T>* grid, DeviceComplex<T>* slots) {
    extern __shared__ __align__(16) unsigned char memory[];
    using Complex = DeviceComplex<T>;
    using Vector = PointVector<T>;
    using Chunk = SampleChunk<T, planes>;
    const GriddingPart part = parts[blockIdx.x];
    const Index first_image = Index{blockIdx.y} * images;
    auto* const slab_memory = reinterpret_cast<Complex*>(memory);
    const auto slab_of = [&](int image) {
        GriddingSlab<T> slab(layout, part, slab_memory + image * layout.slab_size());
        slab.set_planes(0);
        return slab;
    };
    Chunk chunk(layout, reinterpret_cast<unsigned char*>(slab_memory + images * layout.slab_size()), images);
    const SampleLanes<T, rounds, planes> lanes(layout);
    const SampleReader<T, rounds, planes> reader{layout, chunk, lanes};

#pragma unroll
    for (int image = 0; image < images; ++image) {
        slab_of(image).begin_sum(grid + (first_image + image) * layout.grid_elements());
    }
    // Memory answers while the chunk before is worked on: a place and a source two chunks ahead, the values one.
    const auto rank_at = [&](int done) {
        return part.first_sample + min(done + static_cast<int>(threadIdx.x), part.sample_count - 1);
    };
    GriddingPlace<T> place = layout.places[rank_at(0)];
    GriddingPlace<T> next_place = layout.places[rank_at(Chunk::size)];
    Index next_source = layout.sources[rank_at(Chunk::size)];
    Complex value[images];
    const auto load_values = [&](Index source) {
#pragma unroll
        for (int image = 0; image < images; ++image) {
            value[image] = load_constant(samples + (first_image + image) * layout.sample_count + source);
        }
    };
    load_values(layout.sources[rank_at(0)]);
    GriddingSlab<T>::wait_for_grid();

    struct Weighted {
        Vector value[images][rounds];  // times the weights of x and y
        int offset;
    };
    const auto weighted = [&](int s) {
        Weighted made;
        made.offset = chunk.offset(s);
#pragma unroll
        for (int r = 0; r < rounds; ++r) {
            const typename Chunk::RowWeights x = chunk.x(lanes.vector[r], s);
            const T y = chunk.y(lanes.row[r], s);
#pragma unroll
            for (int image = 0; image < images; ++image) {
                const Complex here = y * chunk.value(image, s);
#pragma unroll
                for (int i = 0; i < Vector::size; ++i) {
                    made.value[image][r].point[i] = x.of_point[i] * here;
                }
            }
        }
        return made;
    };

    for (int done = 0; done < part.sample_count; done += Chunk::size) {
        const int count = min(Chunk::size, part.sample_count - done);
        __syncwarp();
        chunk.make_weights(place);
#pragma unroll
        for (int image = 0; image < images; ++image) {
            chunk.value(image, threadIdx.x) = value[image];
        }
        place = next_place;
        load_values(next_source);
        next_place = layout.places[rank_at(done + 2 * Chunk::size)];
        next_source = layout.sources[rank_at(done + 2 * Chunk::size)];
        __syncwarp();
        Weighted next = weighted(0);
#pragma unroll 2
        for (int s = 0; s < count; ++s) {
            const Weighted now = next;
            next = weighted(s + 1);  // behind the last one: unused
            if (rounds > 1 || lanes.active[0]) {
                Vector before[SampleLanes<T, rounds, planes>::steps][images][rounds];
                const auto for_each_vector = [&](int offset, auto&& function) {
#pragma unroll
                    for (int image = 0; image < images; ++image) {
                        Complex* slab = slab_memory + image * layout.slab_size() + now.offset + offset;
#pragma unroll
                        for (int r = 0; r < rounds; ++r) {
                            if (r + 1 < rounds || lanes.active[r]) {
                                function(image, r, *reinterpret_cast<Vector*>(slab + lanes.offset[r]));
                            }
                        }
                    }
                };
                T weight[SampleLanes<T, rounds, planes>::steps];
                reader.for_each_step(s, [&](int step, T of_z, int offset) {
                    weight[step] = of_z;
                    for_each_vector(offset, [&](int image, int r, Vector& point) { before[step][image][r] = point; });
                });
#pragma unroll
                for (int step = 0; step < SampleLanes<T, rounds, planes>::steps; ++step) {
                    if (lanes.takes_part(step)) {
                        const int offset =
                            step * SampleLanes<T, rounds, planes>::planes_at_once * layout.plane_stride;
                        for_each_vector(offset, [&](int image, int r, Vector& point) {
                            Vector sum;
#pragma unroll
                            for (int i = 0; i < Vector::size; ++i) {
                                const Complex add = now.value[image][r].point[i];
                                const Complex old = before[step][image][r].point[i];
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
#pragma unroll
    for (int image = 0; image < images; ++image) {
        slab_of(image).end_sum(grid + (first_image + image) * layout.grid_elements(),
                               slots + ((first_image + image) * layout.slot_total + part.first_slot) * layout.slot_size);
    }
}

/// A block copies a tile with its halo to shared memory; its warps take the samples of the part in turn, a chunk at a
/// time, lanes the vectors that a sample touches.
template <class T, int rounds, int planes, int images>
__global__ void __launch_bounds__(32 * interpolating_warps, images == 1 ? 6 : 4)
    interpolate_tile_kernel(const __grid_constant__ GriddingLayout<T> layout, const GriddingPart* parts,
                            const DeviceComplex<T>* grid, DeviceComplex<T>* samples) {
    extern __shared__ __align__(16) unsigned char memory[];
    using Complex = DeviceComplex<T>;
    using Vector = PointVector<T>;
    using Chunk = SampleChunk<T, planes>;
    constexpr int group = images == 1 ? 4 : 2;  // samples whose sums over the lanes are taken at a time
    constexpr int component_count = 2 * images * group;
    const GriddingPart part = parts[blockIdx.x];
    const Index first_image = Index{blockIdx.y} * images;
    const int warp = threadIdx.x / 32;
    const int lane = threadIdx.x % 32;
    auto* const slab_memory = reinterpret_cast<Complex*>(memory);
#pragma unroll
    for (int image = 0; image < images; ++image) {
        GriddingSlab<T> slab(layout, part, slab_memory + image * layout.slab_size());
        slab.set_planes(0);
        slab.read_grid(grid + (first_image + image) * layout.grid_elements());
    }
    Chunk chunk(layout,
                reinterpret_cast<unsigned char*>(slab_memory + images * layout.slab_size()) +
                    warp * Chunk::bytes(layout, images),
                images);
    const SampleLanes<T, rounds, planes> lanes(layout);
    const SampleReader<T, rounds, planes> reader{layout, chunk, lanes};

    /// What the lane's points add to a sample, [image].
    const auto add_of_lane = [&](int s, T* component) {
        Vector sum[images][rounds]{};
        const Complex* slab = slab_memory + chunk.offset(s);
        reader.for_each_step(s, [&](int, T weight, int offset) {
#pragma unroll
            for (int image = 0; image < images; ++image) {
#pragma unroll
                for (int r = 0; r < rounds; ++r) {
                    if (r + 1 < rounds || lanes.active[r]) {
                        const Vector here = *reinterpret_cast<const Vector*>(slab + image * layout.slab_size() + offset +
                                                                             lanes.offset[r]);
#pragma unroll
                        for (int i = 0; i < Vector::size; ++i) {
                            sum[image][r].point[i] = {sum[image][r].point[i].re + weight * here.point[i].re,
                                                      sum[image][r].point[i].im + weight * here.point[i].im};
                        }
                    }
                }
            }
        });
#pragma unroll
        for (int r = 0; r < rounds; ++r) {
            const typename Chunk::RowWeights x = chunk.x(lanes.vector[r], s);
            const T y = chunk.y(lanes.row[r], s);
#pragma unroll
            for (int image = 0; image < images; ++image) {
                Complex of_row{0, 0};
#pragma unroll
                for (int i = 0; i < Vector::size; ++i) {
                    of_row = {of_row.re + x.of_point[i] * sum[image][r].point[i].re,
                              of_row.im + x.of_point[i] * sum[image][r].point[i].im};
                }
                component[2 * image] += y * of_row.re;
                component[2 * image + 1] += y * of_row.im;
            }
        }
    };

    const auto rank_at = [&](int done) { return part.first_sample + min(done + lane, part.sample_count - 1); };
    constexpr int stride = Chunk::size * interpolating_warps;
    int done = Chunk::size * warp;
    GriddingPlace<T> place = layout.places[rank_at(done)];
    Index next_source = layout.sources[rank_at(done)];
    GriddingSlab<T>::wait_for_grid();
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
            T component[component_count]{};
            if (rounds > 1 || lanes.active[0]) {
#pragma unroll
                for (int i = 0; i < group; ++i) {
                    add_of_lane(min(s + i, count - 1), component + 2 * images * i);
                }
            }
            const T sum = warp_sums(component);
            constexpr int lanes_a_sum = 32 / component_count;
            if (lane % lanes_a_sum == 0) {
                const int which = lane / lanes_a_sum;  // [sample of the group][image][part]
                reinterpret_cast<T*>(&chunk.value(which / 2 % images, s + which / (2 * images)))[which % 2] = sum;
            }
        }
        __syncwarp();
        if (lane < count) {
#pragma unroll
            for (int image = 0; image < images; ++image) {
                samples[(first_image + image) * layout.sample_count + source] = chunk.value(image, lane);
            }
        }
    }
}

}  // namespace recon
