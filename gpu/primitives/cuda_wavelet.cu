// Mirrors core/backend/cpu/cpu_wavelet.cpp.
#include "gpu/device/device_complex.cuh"
#include "gpu/primitives/cuda_image_primitives.cuh"

namespace recon {
namespace {

constexpr int threads = 256;

struct WaveletImages {
    Index size[3];
    Index total;  ///< voxels of all images
};

template <class T>
__global__ void wavelet_kernel(WaveletStep step, WaveletImages images, const DeviceComplex<T>* x, DeviceComplex<T>* y) {
    const Index extent = step.axis == 0 ? step.box[0] : step.axis == 1 ? step.box[1] : step.box[2];
    const Index stride = step.axis == 0 ? 1 : step.axis == 1 ? images.size[0] : images.size[0] * images.size[1];
    for (Index i = blockIdx.x * Index{blockDim.x} + threadIdx.x; i < images.total; i += gridDim.x * Index{blockDim.x}) {
        const Index place[3] = {i % images.size[0], i / images.size[0] % images.size[1],
                                i / (images.size[0] * images.size[1]) % images.size[2]};
        if (place[0] >= step.box[0] || place[1] >= step.box[1] || place[2] >= step.box[2]) {
            y[i] = x[i];
            continue;
        }
        const Index n = step.axis == 0 ? place[0] : step.axis == 1 ? place[1] : place[2];
        const WaveletStencil<T> stencil = wavelet_stencil<T>(n, extent, step.shift, step.direction);
        DeviceComplex<T> sum{0, 0};
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            if (k < stencil.count) {
                sum = sum + stencil.tap[k] * x[i + (stencil.voxel[k] - n) * stride];
            }
        }
        y[i] = sum;
    }
}

}  // namespace

void CudaImagePrimitives::do_wavelet_step(const WaveletStep& step, ConstArrayView x, ArrayView y) const {
    const PerAxis<Index> size = x.shape().matrix_size();
    const WaveletImages images{{size[0], size[1], size[2]}, x.size()};
    with_precision(y.precision(), [&](auto tag) {
        using T = decltype(tag);
        wavelet_kernel<T><<<blocks_for(x.size(), threads), threads, 0, queue_->stream()>>>(
            step, images, as_device(x.data<T>()), as_device(y.data<T>()));
    });
    check_launch();
}

}  // namespace recon
