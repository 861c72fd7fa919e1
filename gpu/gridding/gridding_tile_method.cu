#include "gpu/gridding/gridding_block.cuh"
#include "gpu/gridding/gridding_method.cuh"
#include "gpu/gridding/gridding_tile_kernels.cuh"

namespace recon {
namespace {

template <class T>
class GriddingInTiles final : public GriddingMethod<T> {
public:
    using typename GriddingMethod<T>::Complex;
    using typename GriddingMethod<T>::Parts;

    GriddingInTiles(CudaQueue& queue, const GriddingLayout<T>& layout) : queue_(queue), layout_(layout) {
        const std::size_t bytes_of_device = queue.shared_memory_per_block();
        const bool is_held =
            layout.points[2] == 1 || (layout.points[2] <= widest &&
                                      GriddingBlock<T>::shared_bytes(layout) <= GriddingBlock<T>::most_bytes(queue));
        if (is_held && tile_bytes(1) <= most_bytes_to_spread) {
            can_spread_ = true;
            with_tile([&](auto rounds, auto planes) {
                allow_shared_memory(queue, spread_tile_kernel<T, rounds(), planes()>);
            });
        }
        if (is_held && tile_bytes(interpolating_warps) <= bytes_of_device) {
            can_interpolate_ = true;
            with_tile([&](auto rounds, auto planes) {
                allow_shared_memory(queue, interpolate_tile_kernel<T, rounds(), planes()>);
            });
        }
    }

    bool can_spread() const override { return can_spread_; }
    bool can_interpolate() const override { return can_interpolate_; }

    void spread(const Parts& parts, const Complex* samples, const float*, Complex* grid, Complex* slots,
                Index images) const override {
        with_tile([&](auto rounds, auto planes) {
            spread_tile_kernel<T, rounds(), planes()><<<blocks_of(parts, images), 32, tile_bytes(1), queue_.stream()>>>(
                layout_, parts.data(), samples, grid, slots);
        });
        check_launch();
    }

    void interpolate(const Parts& parts, const Complex* grid, Complex* samples, Index images) const override {
        with_tile([&](auto rounds, auto planes) {
            interpolate_tile_kernel<T, rounds(), planes()>
                <<<blocks_of(parts, images), 32 * interpolating_warps, tile_bytes(interpolating_warps),
                   queue_.stream()>>>(layout_, parts.data(), grid, samples);
        });
        check_launch();
    }

private:
    static constexpr std::size_t most_bytes_to_spread = std::size_t{46} << 10;  ///< of a warp: five at a time
    static constexpr int widest = 8;  ///< kernel whose planes fit into registers

    static constexpr int rounds_of(int vectors) { return (vectors + 31) / 32; }
    static constexpr int most_rounds =
        rounds_of(vectors_of_row<T>(GriddingKernel::max_width) * GriddingKernel::max_width);

    /// Calls function(rounds, planes) of the kernels, as std::integral_constant.
    template <class Function>
    void with_tile(Function&& function) const {
        if (layout_.points[2] > 1) {
            with_count<widest>(layout_.points[2], [&](auto width) {
                function(std::integral_constant<int, rounds_of(vectors_of_row<T>(width()) * width())>{}, width);
            });
        } else {
            with_count<most_rounds>(rounds_of(vectors_of_row<T>(layout_.points[0]) * layout_.points[1]),
                                    [&](auto rounds) { function(rounds, std::integral_constant<int, 1>{}); });
        }
    }

    std::size_t tile_bytes(int warps) const {
        std::size_t bytes = 0;
        with_tile([&](auto, auto planes) { bytes = tile_kernel_bytes<T, planes()>(layout_, warps); });
        return bytes;
    }

    CudaQueue& queue_;
    GriddingLayout<T> layout_;
    bool can_spread_ = false;
    bool can_interpolate_ = false;
};

}  // namespace

template <class T>
std::unique_ptr<GriddingMethod<T>> gridding_in_tiles(CudaQueue& queue, const GriddingLayout<T>& layout) {
    return std::make_unique<GriddingInTiles<T>>(queue, layout);
}

template std::unique_ptr<GriddingMethod<float>> gridding_in_tiles(CudaQueue&, const GriddingLayout<float>&);
template std::unique_ptr<GriddingMethod<double>> gridding_in_tiles(CudaQueue&, const GriddingLayout<double>&);

}  // namespace recon
