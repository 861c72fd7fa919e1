#include <algorithm>

#include "gpu/gridding/gridding_bin_interpolation.cuh"
#include "gpu/gridding/gridding_bin_spreading.cuh"
#include "gpu/gridding/gridding_method.cuh"

namespace recon {
namespace {

class GriddingInBins final : public GriddingMethod<float> {
public:
    GriddingInBins(CudaQueue& queue, const GriddingLayout<float>& layout) : queue_(queue), layout_(layout) {
        with_width([&](auto width) {
            allow_shared_memory(queue, spread_bins_kernel<width()>);
            allow_shared_memory(queue, interpolate_bins_kernel<width()>);
        });
    }

    DeviceBuffer<float> peaks_of(const Complex* samples, Index images) const override {
        constexpr int threads = 256;
        DeviceBuffer<float> peaks(queue_, images);
        check(cudaMemsetAsync(peaks.data(), 0, images * sizeof(float), queue_.stream()));
        const dim3 blocks(std::min(1024U, blocks_for(layout_.sample_count, threads)), static_cast<unsigned>(images));
        peak_kernel<threads><<<blocks, threads, 0, queue_.stream()>>>(samples, layout_.sample_count, peaks.data());
        check_launch();
        return peaks;
    }

    void spread(const Parts& parts, const Complex* samples, const float* peaks, Complex* grid, Complex* slots,
                Index images) const override {
        with_width([&](auto width) {
            spread_bins_kernel<width()>
                <<<blocks_of(parts, images), 32 * bin_spreading_warps, spread_bins_bytes<width()>(), queue_.stream()>>>(
                    layout_, parts.data(), peaks, samples, grid, slots);
        });
        check_launch();
    }

    void interpolate(const Parts& parts, const Complex* grid, Complex* samples, Index images) const override {
        with_width([&](auto width) {
            interpolate_bins_kernel<width()>
                <<<blocks_of(parts, images), 32 * bin_interpolating_warps, interpolate_bins_bytes<width()>(),
                   queue_.stream()>>>(layout_, parts.data(), grid, samples);
        });
        check_launch();
    }

private:
    /// Calls function(width of the kernel), as std::integral_constant.
    template <class Function>
    void with_width(Function&& function) const {
        with_count<GriddingBins::widest>(layout_.points[0], [&](auto width) {
            if constexpr (width() >= GriddingKernel::min_width) {
                function(width);
            }
        });
    }

    CudaQueue& queue_;
    GriddingLayout<float> layout_;
};

}  // namespace

void load_gridding_in_bins() {
    load_kernels({reinterpret_cast<const void*>(spread_bins_kernel<GriddingBins::widest>),
                  reinterpret_cast<const void*>(interpolate_bins_kernel<GriddingBins::widest>)});
}

std::unique_ptr<GriddingMethod<float>> gridding_in_bins(CudaQueue& queue, const GriddingLayout<float>& layout) {
    return std::make_unique<GriddingInBins>(queue, layout);
}

}  // namespace recon
