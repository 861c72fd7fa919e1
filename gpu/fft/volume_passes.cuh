#pragma once

#include "gpu/fft/column_kernels.cuh"
#include "gpu/fft/pencil_fft_plan.cuh"
#include "gpu/fft/row_kernels.cuh"

namespace recon {

/// Launches the passes of row_kernels.cuh and column_kernels.cuh: how many rows or columns a block takes, and its
/// shared memory.
template <class T>
class VolumePasses {
public:
    using Complex = DeviceComplex<T>;

    explicit VolumePasses(CudaQueue& queue) : queue_(&queue) {}

    /// Whether pencils of these lengths fit the shared memory of the device.
    static bool fit(const CudaQueue& queue, const PerAxis<Index>& lengths);

    /// @param image_stride  elements from one image of the batch to the next; 0: all coils of one image
    void rows_forward(const PencilFft<T>& fft, RowsPass<T> pass, Index batch, const Complex* images, Index image_stride,
                      const Complex* coil_maps, Complex* grids) const;
    void rows_inverse(const PencilFft<T>& fft, RowsPass<T> pass, Index batch, const Complex* grids,
                      const Complex* coil_maps, int coil_count, bool accumulate, Complex* images) const;

    /// What the passes along columns have in common: how many columns, and the range of the third axis.
    struct Columns {
        Index column_count;
        Index outer_count;
        Index outer_first;
        Index outer_extent;
        Index batch;
    };
    void columns_forward(const PencilFft<T>& fft, const Columns& columns, const Complex* from,
                         ColumnStrides from_strides, Complex* to, ColumnStrides to_strides) const;
    void columns_inverse(const PencilFft<T>& fft, const Columns& columns, const Complex* from,
                         ColumnStrides from_strides, Complex* to, ColumnStrides to_strides) const;
    void columns_convolve(const PencilFft<T>& fft, const Columns& columns, Complex* data, ColumnStrides strides,
                          const T* spectrum, ColumnStrides spectrum_strides) const;

private:
    template <class Kernel, class... Arguments>
    void launch(Kernel kernel, dim3 blocks, dim3 threads, std::size_t shared, Arguments... arguments) const;
    /// @param in_pairs  whether columns can be read and written two at a time
    template <class Launch>
    void launch_columns(const PencilFft<T>& fft, const Columns& columns, bool in_pairs, Launch&& launch) const;

    CudaQueue* queue_;
};

/// Loads the machine code of the passes in single precision on the current device, ahead of the first that is launched.
void load_volume_passes();

}  // namespace recon
