#include <algorithm>
#include <string>

#include "core/base/error.hpp"
#include "gpu/gridding/gridding_method.cuh"
#include "gpu/gridding/gridding_slab_kernels.cuh"

namespace recon {
namespace {

template <class T>
class GriddingInSlabs final : public GriddingMethod<T> {
public:
    using typename GriddingMethod<T>::Complex;
    using typename GriddingMethod<T>::Parts;

    GriddingInSlabs(CudaQueue& queue, const GriddingLayout<T>& layout) : queue_(queue), layout_(layout) {
        while (layout_.slab_planes > 1 && bytes() > GriddingBlock<T>::most_bytes(queue)) {
            --layout_.slab_planes;
        }
        if (bytes() > queue.shared_memory_per_block()) {
            throw DeviceError(
                queue.name() + ": gridding with kernel width " + std::to_string(layout.points[0]) + " needs " +
                std::to_string(bytes()) + " bytes of shared memory a block, and the device has " +
                std::to_string(queue.shared_memory_per_block()) + "; use a larger tolerance or `device` cpu");
        }
        const auto allow = [&](auto kernel) { allow_shared_memory(queue, kernel); };
        with_spread_kernel(allow);
        with_interpolate_kernel(allow);
    }

    void spread(const Parts& parts, const Complex* samples, const float*, Complex* grid, Complex* slots,
                Index images) const override {
        with_spread_kernel([&](auto kernel) {
            kernel<<<blocks_of(parts, images), 32 * spreading_warps(), bytes(), queue_.stream()>>>(
                layout_, parts.data(), samples, grid, slots);
        });
        check_launch();
    }

    void interpolate(const Parts& parts, const Complex* grid, Complex* samples, Index images) const override {
        with_interpolate_kernel([&](auto kernel) {
            kernel<<<blocks_of(parts, images), most_gridding_threads, bytes(), queue_.stream()>>>(layout_, parts.data(),
                                                                                                  grid, samples);
        });
        check_launch();
    }

private:
    static constexpr int most_rounds = (GriddingKernel::max_width * GriddingKernel::max_width + 31) / 32;

    /// Planes of a kernel that a warp which spreads has under way, as registers allow.
    static constexpr int most_planes(int rounds) { return rounds <= 2 ? 4 : rounds <= 4 ? 2 : 1; }

    std::size_t bytes() const { return GriddingBlock<T>::shared_bytes(layout_); }
    int rounds() const { return (layout_.points[0] * layout_.points[1] + 31) / 32; }
    /// Enough warps to keep a multiprocessor busy with the blocks whose slabs it holds.
    int spreading_warps() const { return bytes() > (64 << 10) ? 8 : bytes() > (40 << 10) ? 4 : 2; }

    template <class Function>
    void with_spread_kernel(Function&& function) const {
        with_count<most_rounds>(rounds(), [&](auto rounds) {
            constexpr int most = most_planes(rounds());
            const int planes = (layout_.points[2] + spreading_warps() - 1) / spreading_warps();
            with_count<most>(std::min(planes, most),
                             [&](auto count) { function(spread_slab_kernel<T, rounds(), count()>); });
        });
    }
    template <class Function>
    void with_interpolate_kernel(Function&& function) const {
        with_count<most_rounds>(rounds(), [&](auto rounds) { function(interpolate_slab_kernel<T, rounds()>); });
    }

    CudaQueue& queue_;
    GriddingLayout<T> layout_;
};

}  // namespace

void load_gridding_in_slabs() {
    load_kernels({reinterpret_cast<const void*>(spread_slab_kernel<double, 2, 4>),
                  reinterpret_cast<const void*>(interpolate_slab_kernel<double, 2>)});
}

template <class T>
std::unique_ptr<GriddingMethod<T>> gridding_in_slabs(CudaQueue& queue, const GriddingLayout<T>& layout) {
    return std::make_unique<GriddingInSlabs<T>>(queue, layout);
}

template std::unique_ptr<GriddingMethod<float>> gridding_in_slabs(CudaQueue&, const GriddingLayout<float>&);
template std::unique_ptr<GriddingMethod<double>> gridding_in_slabs(CudaQueue&, const GriddingLayout<double>&);

}  // namespace recon
