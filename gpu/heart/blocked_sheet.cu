#include "gpu/heart/blocked_sheet.cuh"

#include "core/base/error.hpp"
#include "gpu/heart/blocked_kernel.cuh"
#include "gpu/heart/device_sheet.cuh"

namespace recon {
namespace {

template <class T>
class BlockedSheet final : public DeviceSheet<T> {
public:
    BlockedSheet(Backend& gpu, const ExcitationSetup& setup, int steps_a_pass)
        : DeviceSheet<T>(gpu, setup, SheetLayout::plain, 2), halo_(steps_a_pass) {
        this->queue_.stream();  // makes its device the current one
        check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                   static_cast<int>(BlockedShape::shared_bytes<T>)));
    }

    void advance(Index steps) override {
        const dim3 blocks(tiles_of(this->size_, BlockedShape::columns - 2 * halo_),
                          tiles_of(this->size_, BlockedShape::most_height - 2 * halo_));
        const dim3 threads(BlockedShape::columns, BlockedShape::segments);
        while (steps > 0) {
            const int now = static_cast<int>(steps < halo_ ? steps : halo_);
            const SheetPass<T> pass{this->excitation(),    this->recovery(), this->next_excitation(),
                                    this->next_recovery(), this->pitch_,     this->size_};
            kernel<<<blocks, threads, BlockedShape::shared_bytes<T>, this->queue_.stream()>>>(this->rates_, pass, halo_,
                                                                                              now);
            check_launch();
            this->swap();
            steps -= now;
        }
    }

private:
    static constexpr auto kernel = blocked_kernel<T, BlockedShape, Division::quick>;
    const int halo_;
};

}  // namespace

std::unique_ptr<Excitation> make_blocked_sheet(Backend& gpu, const ExcitationSetup& setup, int steps_a_pass) {
    if (steps_a_pass < 1 || steps_a_pass > 16) {
        throw ShapeError("a blocked sheet makes 1 to 16 steps a pass");
    }
    return with_precision(setup.precision, [&](auto zero) -> std::unique_ptr<Excitation> {
        return std::make_unique<BlockedSheet<decltype(zero)>>(gpu, setup, steps_a_pass);
    });
}

double blocked_bytes_a_cell(int steps_a_pass, Precision precision) {
    const double all = double{BlockedShape::columns} * BlockedShape::most_height;
    const double own =
        double{BlockedShape::columns - 2.0 * steps_a_pass} * (BlockedShape::most_height - 2.0 * steps_a_pass);
    const double numbers = 2 * (all + own) / own / steps_a_pass;  // E and R, read with the halo and written without
    return numbers * (precision == Precision::single ? sizeof(float) : sizeof(double));
}

}  // namespace recon
