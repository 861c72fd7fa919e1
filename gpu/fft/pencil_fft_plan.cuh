#pragma once

#include <vector>

#include "gpu/device/cuda_queue.cuh"
#include "gpu/fft/pencil_fft_view.cuh"

namespace recon {

/// The radices of a transform, first pass of the forward transform first, even ones first; {1} for length 1; empty if
/// `length` is not of the form 2^a 3^b 5^c.
std::vector<int> pencil_radices(Index length, int largest_radix);

/// Tables of a transform of pencils on a device, and the view of them that kernels take.
template <class T>
class PencilFft {
public:
    /// @param image_count, first_index  only the grid indices from first_index (cyclic) on, image_count of them, hold
    /// numbers before the forward, and matter after the inverse transform
    /// @throws ShapeError if `length` is not of the form 2^a 3^b 5^c
    PencilFft(CudaQueue& queue, Index length, Index image_count, Index first_index);

    const PencilFftView<T>& view() const { return view_; }
    int length() const { return view_.length; }
    int image_count() const { return image_count_; }
    int first_index() const { return first_index_; }
    /// Threads that a pencil can keep busy.
    int thread_count() const { return thread_count_; }
    /// Bytes of shared memory for `pencil_count` pencils.
    std::size_t shared_bytes(int pencil_count) const {
        return static_cast<std::size_t>(view_.shared_size()) * sizeof(DeviceComplex<T>) * pencil_count;
    }

private:
    PencilFftView<T> view_{};
    int image_count_;
    int first_index_;
    int thread_count_ = 1;
    DeviceBuffer<DeviceComplex<T>> twiddles_;
    DeviceBuffer<int> last_block_address_;
};

}  // namespace recon
