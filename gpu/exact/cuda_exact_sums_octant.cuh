#pragma once

#include "gpu/device/device_complex.cuh"
#include "gpu/exact/cuda_exact_sums_layout.cuh"

namespace recon::exact_sums {

/// The up to eight voxels that mirror each other about a grid's centre, and the eight products of a cosine or a sine
/// along each axis that stand for them. Index 0 of an axis is the cosine, or the upper voxel; 1 the sine, or the lower.
template <class T>
struct Octant {
    DeviceComplex<T> t[2][2][2];  ///< [z][y][x]
    int factor[3][2];
    int voxel[3][2];
    bool centre[3];  ///< one voxel, its own mirror image, which has no sine

    __device__ Octant(const HalfAxis (&axis)[3], int px, int py, int pz) {
        const int p[3] = {px, py, pz};
        for (int a = 0; a < 3; ++a) {
            factor[a][0] = p[a];
            factor[a][1] = axis[a].sine_of(p[a]);
            voxel[a][0] = axis[a].upper(p[a]);
            voxel[a][1] = axis[a].lower(p[a]);
            centre[a] = voxel[a][0] == voxel[a][1];
        }
    }

    __device__ bool has_factor(int iz, int iy, int ix) const {
        return !(ix == 1 && centre[0]) && !(iy == 1 && centre[1]) && !(iz == 1 && centre[2]);
    }

    /// Voxels from products: C + iS above, C - iS below.
    __device__ void unfold() {
        for_each_pair([](DeviceComplex<T>& first, DeviceComplex<T>& second, bool) {
            const DeviceComplex<T> c = first;
            const DeviceComplex<T> s = second;
            first = {c.re - s.im, c.im + s.re};
            second = {c.re + s.im, c.im - s.re};
        });
    }

    /// Coefficients of the products from voxels: u exp(-ia) + l exp(ia) = C (u + l) + S (-i)(u - l); a centre counts
    /// once.
    __device__ void fold() {
        for_each_pair([](DeviceComplex<T>& first, DeviceComplex<T>& second, bool is_centre) {
            const DeviceComplex<T> difference = first - second;
            first = is_centre ? first : first + second;
            second = {difference.im, -difference.re};
        });
    }

private:
    template <class Function>
    __device__ void for_each_pair(Function&& function) {
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            function(t[i / 2][i % 2][0], t[i / 2][i % 2][1], centre[0]);
        }
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            function(t[i / 2][0][i % 2], t[i / 2][1][i % 2], centre[1]);
        }
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            function(t[0][i / 2][i % 2], t[1][i / 2][i % 2], centre[2]);
        }
    }
};

/// The octant points of one launch: x by threads, y and (batch, z) by blocks.
inline dim3 octant_grid(const HalfAxis (&axis)[3], int batch, unsigned threads) {
    return {(static_cast<unsigned>(axis[0].cosine_count()) + threads - 1) / threads,
            static_cast<unsigned>(axis[1].cosine_count()),
            static_cast<unsigned>(axis[2].cosine_count()) * static_cast<unsigned>(batch)};
}

/// Image of real sums in `slices` pieces. One thread an octant point. @param unscale of each batch element
template <class T, class Unscale>
__device__ void unfold_octant(const Tiling& tiling, const T* sums, int slices, Unscale&& unscale,
                              DeviceComplex<T>* image) {
    const HalfAxis(&axis)[3] = tiling.axis;
    const int px = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    const int pz = static_cast<int>(blockIdx.z) % axis[2].cosine_count();
    const int batch = static_cast<int>(blockIdx.z) / axis[2].cosine_count();
    if (px >= axis[0].cosine_count()) {
        return;
    }
    Octant<T> octant(axis, px, static_cast<int>(blockIdx.y), pz);
    for (int i = 0; i < 8; ++i) {
        const int iz = i / 4;
        const int iy = i / 2 % 2;
        const int ix = i % 2;
        DeviceComplex<T> sum{0, 0};
        if (octant.has_factor(iz, iy, ix)) {
            const Index u = Index{2 * batch} * axis[2].extent + octant.factor[2][iz];
            const Index y = octant.factor[1][iy];
            const T* re = sums + (u * tiling.y_padded + y) * tiling.x_padded + octant.factor[0][ix];
            const T* im = re + Index{axis[2].extent} * tiling.y_padded * tiling.x_padded;
            for (int slice = 0; slice < slices; ++slice) {
                sum = sum + DeviceComplex<T>{re[slice * tiling.sums_size()], im[slice * tiling.sums_size()]};
            }
        }
        octant.t[iz][iy][ix] = sum;
    }
    octant.unfold();
    const T factor = unscale(batch);
    for (int i = 0; i < 8; ++i) {
        const Index z = Index{batch} * axis[2].extent + octant.voxel[2][i / 4];
        const Index row = z * axis[1].extent + octant.voxel[1][i / 2 % 2];
        image[row * axis[0].extent + octant.voxel[0][i % 2]] = factor * octant.t[i / 4][i / 2 % 2][i % 2];
    }
}

/// Coefficients of an image; store(batch, z, y, x, coefficient) is called for each that exists. One thread an octant
/// point.
template <class T, class Scale, class Store>
__device__ void fold_octant(const HalfAxis (&axis)[3], const DeviceComplex<T>* image, Scale&& scale, Store&& store) {
    const int px = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    const int pz = static_cast<int>(blockIdx.z) % axis[2].cosine_count();
    const int batch = static_cast<int>(blockIdx.z) / axis[2].cosine_count();
    if (px >= axis[0].cosine_count()) {
        return;
    }
    Octant<T> octant(axis, px, static_cast<int>(blockIdx.y), pz);
    const T factor = scale(batch);
    for (int i = 0; i < 8; ++i) {
        const Index z = Index{batch} * axis[2].extent + octant.voxel[2][i / 4];
        const Index row = z * axis[1].extent + octant.voxel[1][i / 2 % 2];
        octant.t[i / 4][i / 2 % 2][i % 2] = factor * image[row * axis[0].extent + octant.voxel[0][i % 2]];
    }
    octant.fold();
    for (int i = 0; i < 8; ++i) {
        const int iz = i / 4;
        const int iy = i / 2 % 2;
        const int ix = i % 2;
        if (octant.has_factor(iz, iy, ix)) {
            store(batch, octant.factor[2][iz], octant.factor[1][iy], octant.factor[0][ix], octant.t[iz][iy][ix]);
        }
    }
}

}  // namespace recon::exact_sums
