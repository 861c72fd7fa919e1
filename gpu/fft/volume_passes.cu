#include "gpu/fft/volume_passes.cuh"

#include <algorithm>
#include <cstdint>

namespace recon {
namespace {

// Neighbouring columns of a block: 128 bytes a row use memory best; half of that where the pencils are so long that
// fewer than three blocks would fit a multiprocessor (228 KB on Hopper, 164 on Ampere).
template <class T>
constexpr int wide = 128 / sizeof(DeviceComplex<T>);
template <class T>
constexpr int narrow = 64 / sizeof(DeviceComplex<T>);
constexpr std::size_t most_shared_for_wide = 72 << 10;
constexpr unsigned most_blocks_yz = 65535;  // of a launch, along its second and third axis

int power_of_two_not_above(int n) {
    int power = 1;
    while (2 * power <= n) {
        power *= 2;
    }
    return power;
}

/// Calls function(std::integral_constant<int, length>) for a length that kernels are compiled for, else for 0.
template <class T, class Function>
void with_fixed_length(const PencilFftView<T>& fft, Function&& function) {
    if constexpr (sizeof(T) == sizeof(float)) {
        if (fft.part == butterfly::Part::lower_half) {
            switch (fft.length) {
                case 256: return function(std::integral_constant<int, 256>{});
                case 384: return function(std::integral_constant<int, 384>{});
                case 512: return function(std::integral_constant<int, 512>{});
                default: break;
            }
        }
    }
    function(std::integral_constant<int, 0>{});
}

/// Whether columns can be read and written two at a time.
template <class Number>
bool are_pairs(Index column_count, const Number* first, const ColumnStrides& strides) {
    const Index any_odd = column_count | strides.element | strides.outer | strides.batch;
    return any_odd % 2 == 0 && reinterpret_cast<std::uintptr_t>(first) % (2 * sizeof(Number)) == 0;
}

unsigned groups(Index count, Index of) { return static_cast<unsigned>((count + of - 1) / of); }

}  // namespace

template <class T>
bool VolumePasses<T>::fit(const CudaQueue& queue, const PerAxis<Index>& lengths) {
    for (int axis = 0; axis < 3; ++axis) {
        const std::vector<int> radices = pencil_radices(lengths[axis], butterfly::largest_radix<T>);
        if (radices.empty() || radices.size() > PencilFftView<T>::max_pass_count) {
            return false;
        }
        const Index elements = lengths[axis] + radices[0];  // one element more a block of the first pass
        const Index pencils = axis == 0 ? 1 : narrow<T>;
        if (elements * pencils * static_cast<Index>(sizeof(Complex)) >
            static_cast<Index>(queue.shared_memory_per_block())) {
            return false;
        }
    }
    return true;
}

template <class T>
template <class Kernel, class... Arguments>
void VolumePasses<T>::launch(Kernel kernel, dim3 blocks, dim3 threads, std::size_t shared,
                             Arguments... arguments) const {
    const cudaStream_t stream = queue_->stream();
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared)));
    kernel<<<blocks, threads, shared, stream>>>(arguments...);
    check_launch();
}

namespace {

struct RowsShape {
    dim3 blocks;
    dim3 threads;
    std::size_t shared;
};

template <class T>
RowsShape rows_shape(const CudaQueue& queue, const PencilFft<T>& fft, const RowsPass<T>& pass, Index batch) {
    const int x = std::min(power_of_two_not_above(fft.thread_count()), rows_threads<0> / 2);
    const std::size_t shared_limit = std::min<std::size_t>(most_shared_for_wide, queue.shared_memory_per_block());
    int y = rows_threads<0> / x;
    while (y > 1 && fft.shared_bytes(y) > shared_limit) {
        y /= 2;
    }
    const unsigned row_groups = groups(Index{pass.image[1]} * pass.image[2], y);
    const unsigned group_blocks = groups(row_groups, most_blocks_yz);
    return {dim3(static_cast<unsigned>(batch), groups(row_groups, group_blocks), group_blocks),
            dim3(static_cast<unsigned>(x), static_cast<unsigned>(y)), fft.shared_bytes(y)};
}

}  // namespace

template <class T>
void VolumePasses<T>::rows_forward(const PencilFft<T>& fft, RowsPass<T> pass, Index batch, const Complex* images,
                                   Index image_stride, const Complex* coil_maps, Complex* grids) const {
    pass.fft = fft.view();
    const RowsShape shape = rows_shape(*queue_, fft, pass, batch);
    with_fixed_length(fft.view(), [&](auto length) {
        launch(rows_forward_kernel<T, length()>, shape.blocks, shape.threads, shape.shared, pass, images, image_stride,
               coil_maps, grids);
    });
}

template <class T>
void VolumePasses<T>::rows_inverse(const PencilFft<T>& fft, RowsPass<T> pass, Index batch, const Complex* grids,
                                   const Complex* coil_maps, int coil_count, bool accumulate, Complex* images) const {
    pass.fft = fft.view();
    const RowsShape shape = rows_shape(*queue_, fft, pass, batch);
    with_fixed_length(fft.view(), [&](auto length) {
        launch(rows_inverse_kernel<T, length()>, shape.blocks, shape.threads, shape.shared, pass, grids, coil_maps,
               coil_count, accumulate, images);
    });
}

template <class T>
template <class Launch>
void VolumePasses<T>::launch_columns(const PencilFft<T>& fft, const Columns& columns, bool in_pairs,
                                     Launch&& launch) const {
    const ColumnsPass<T> pass{fft.view(),
                              fft.image_count(),
                              fft.first_index(),
                              static_cast<int>(columns.column_count),
                              static_cast<int>(columns.outer_first),
                              static_cast<int>(columns.outer_extent)};
    const auto with_shape = [&](auto width_constant, auto length_constant) {
        constexpr int width = width_constant();
        constexpr int x = width / columns_lanes<length_constant()>;
        const int y = std::clamp(power_of_two_not_above(fft.thread_count()), 1, columns_threads<length_constant()> / x);
        launch(width_constant, length_constant, pass,
               dim3(static_cast<unsigned>(columns.batch), groups(columns.column_count, width),
                    static_cast<unsigned>(columns.outer_count)),
               dim3(x, static_cast<unsigned>(y)), fft.shared_bytes(width));
    };
    using Any = std::integral_constant<int, 0>;
    if (fft.shared_bytes(wide<T>) > most_shared_for_wide) {
        return with_shape(std::integral_constant<int, narrow<T>>{}, Any{});
    }
    with_fixed_length(fft.view(), [&](auto length) {
        if (columns_lanes<length()> == 1 || in_pairs) {
            with_shape(std::integral_constant<int, wide<T>>{}, length);
        } else {
            with_shape(std::integral_constant<int, wide<T>>{}, Any{});
        }
    });
}

template <class T>
void VolumePasses<T>::columns_forward(const PencilFft<T>& fft, const Columns& columns, const Complex* from,
                                      ColumnStrides from_strides, Complex* to, ColumnStrides to_strides) const {
    launch_columns(
        fft, columns,
        are_pairs(columns.column_count, from, from_strides) && are_pairs(columns.column_count, to, to_strides),
        [&](auto width, auto length, const ColumnsPass<T>& pass, dim3 blocks, dim3 threads, auto shared) {
            launch(columns_forward_kernel<T, width(), length()>, blocks, threads, shared, pass, from, from_strides, to,
                   to_strides);
        });
}

template <class T>
void VolumePasses<T>::columns_inverse(const PencilFft<T>& fft, const Columns& columns, const Complex* from,
                                      ColumnStrides from_strides, Complex* to, ColumnStrides to_strides) const {
    launch_columns(
        fft, columns,
        are_pairs(columns.column_count, from, from_strides) && are_pairs(columns.column_count, to, to_strides),
        [&](auto width, auto length, const ColumnsPass<T>& pass, dim3 blocks, dim3 threads, auto shared) {
            launch(columns_inverse_kernel<T, width(), length()>, blocks, threads, shared, pass, from, from_strides, to,
                   to_strides);
        });
}

template <class T>
void VolumePasses<T>::columns_convolve(const PencilFft<T>& fft, const Columns& columns, Complex* data,
                                       ColumnStrides strides, const T* spectrum, ColumnStrides spectrum_strides) const {
    launch_columns(
        fft, columns,
        are_pairs(columns.column_count, data, strides) && are_pairs(columns.column_count, spectrum, spectrum_strides),
        [&](auto width, auto length, const ColumnsPass<T>& pass, dim3 blocks, dim3 threads, auto shared) {
            launch(columns_convolve_kernel<T, width(), length()>, blocks, threads, shared, pass, data, strides,
                   spectrum, spectrum_strides);
        });
}

void load_volume_passes() {
    load_kernels({reinterpret_cast<const void*>(rows_forward_kernel<float, 0>),
                  reinterpret_cast<const void*>(rows_inverse_kernel<float, 0>),
                  reinterpret_cast<const void*>(columns_forward_kernel<float, wide<float>, 0>),
                  reinterpret_cast<const void*>(columns_inverse_kernel<float, wide<float>, 0>),
                  reinterpret_cast<const void*>(columns_convolve_kernel<float, wide<float>, 0>)});
}

template class VolumePasses<float>;
template class VolumePasses<double>;

}  // namespace recon
