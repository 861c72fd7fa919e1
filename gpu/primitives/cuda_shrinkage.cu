// Mirrors core/backend/cpu/cpu_shrinkage.cpp.
#include "gpu/device/device_complex.cuh"
#include "gpu/device/element_loop.cuh"
#include "gpu/primitives/cuda_image_primitives.cuh"

namespace recon {
namespace {

constexpr int threads = 256;

template <class T>
__device__ double joint_magnitude(const DeviceComplex<T>* z, Index part_size, Index part_count, Index n) {
    double sum = 0;
    for (Index part = 0; part < part_count; ++part) {
        const DeviceComplex<T> value = z[part * part_size + n];
        sum += static_cast<double>(value.re) * value.re + static_cast<double>(value.im) * value.im;
    }
    return sqrt(sum);
}

template <class T>
__global__ void joint_magnitudes_kernel(const DeviceComplex<T>* z, Index part_size, Index part_count,
                                        DeviceComplex<T>* m) {
    for (Index n = first_element(); n < part_size; n += element_step()) {
        m[n] = {static_cast<T>(joint_magnitude(z, part_size, part_count, n)), 0};
    }
}

template <class T>
__global__ void soft_threshold_kernel(double threshold, Index part_size, Index part_count, DeviceComplex<T>* z) {
    for (Index n = first_element(); n < part_size; n += element_step()) {
        const double magnitude = joint_magnitude(z, part_size, part_count, n);
        const T factor = static_cast<T>(magnitude > threshold ? 1 - threshold / magnitude : 0);
        for (Index part = 0; part < part_count; ++part) {
            z[part * part_size + n] = factor * z[part * part_size + n];
        }
    }
}

}  // namespace

void CudaImagePrimitives::do_joint_magnitudes(ConstArrayView z, ArrayView m) const {
    with_precision(m.precision(), [&](auto tag) {
        using T = decltype(tag);
        joint_magnitudes_kernel<T><<<blocks_for(m.size(), threads), threads, 0, queue_->stream()>>>(
            as_device(z.data<T>()), m.size(), z.size() / m.size(), as_device(m.data<T>()));
    });
    check_launch();
}

void CudaImagePrimitives::do_soft_threshold(double threshold, Index joint_count, ArrayView z) const {
    const Index part_size = z.size() / joint_count;
    with_precision(z.precision(), [&](auto tag) {
        using T = decltype(tag);
        soft_threshold_kernel<T><<<blocks_for(part_size, threads), threads, 0, queue_->stream()>>>(
            threshold, part_size, joint_count, as_device(z.data<T>()));
    });
    check_launch();
}

}  // namespace recon
