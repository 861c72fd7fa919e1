#include "gpu/heart/sheets/resident_sheet.cuh"

#include <algorithm>

#include "core/base/error.hpp"
#include "gpu/heart/sheets/device_sheet.cuh"
#include "gpu/heart/sheets/resident_kernel.cuh"

namespace recon {
namespace {

template <class T>
class ResidentExcitation final : public DeviceSheet<T> {
public:
    ResidentExcitation(Backend& gpu, const ExcitationSetup& setup, const ResidentLayout& layout)
        : DeviceSheet<T>(gpu, setup, SheetLayout::plain),
          layout_(layout),
          published_(this->queue_, Index{layout.columns} * layout.rows) {
        this->queue_.stream();  // makes its device the current one
        check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                   static_cast<int>(ResidentShape::shared_bytes<T>)));
        check(cudaMemsetAsync(published_.data(), 0, published_.size() * sizeof(unsigned), this->queue_.stream()));
        for (DeviceBuffer<T>* rim : {&rim_excitation_[0], &rim_excitation_[1], &rim_recovery_[0], &rim_recovery_[1]}) {
            *rim = DeviceBuffer<T>(this->queue_, setup.size * setup.size);
        }
    }

    void advance(Index steps) override {
        if (steps <= 0) {
            return;
        }
        ExcitationRates<T> rates = this->rates_;
        ResidentSheet<T> sheet{this->excitation(),
                               this->recovery(),
                               {rim_excitation_[0].data(), rim_excitation_[1].data()},
                               {rim_recovery_[0].data(), rim_recovery_[1].data()},
                               published_.data(),
                               this->pitch_,
                               this->size_,
                               layout_.columns,
                               layout_.rows,
                               layout_.halo};
        unsigned first_exchange = exchange_count_ + 1;
        void* arguments[] = {&rates, &sheet, &steps, &first_exchange};
        check(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(kernel),
                                          dim3(static_cast<unsigned>(layout_.columns * layout_.rows)),
                                          dim3(ResidentShape::columns, ResidentShape::segments), arguments,
                                          ResidentShape::shared_bytes<T>, this->queue_.stream()));
        check_launch();
        exchange_count_ += static_cast<unsigned>((steps + layout_.halo - 1) / layout_.halo);
    }

    static constexpr auto kernel = resident_kernel<T, ResidentShape, Division::quick>;

private:
    ResidentLayout layout_;
    DeviceBuffer<T> rim_excitation_[2], rim_recovery_[2];
    DeviceBuffer<unsigned> published_;
    unsigned exchange_count_ = 0;
};

template <class T>
std::string obstacle(CudaQueue& queue, Index size) {
    const cudaDeviceProp& properties = queue.properties();
    if (properties.cooperativeLaunch == 0) {
        return "this GPU cannot keep all blocks of a launch running at once";
    }
    if (properties.sharedMemPerBlockOptin < ResidentShape::shared_bytes<T>) {
        return "a tile takes " + std::to_string(ResidentShape::shared_bytes<T>) +
               " bytes of shared memory, this GPU has " + std::to_string(properties.sharedMemPerBlockOptin);
    }
    if (!ResidentLayout::of(static_cast<int>(size), queue.multiprocessor_count())) {
        return "a sheet of " + std::to_string(size) + " cells a side is too large to stay in " +
               std::to_string(queue.multiprocessor_count()) + " multiprocessors";
    }
    return {};
}

int ceiling(int a, int b) { return (a + b - 1) / b; }

}  // namespace

std::optional<ResidentLayout> ResidentLayout::of(int size, int multiprocessors) {
    constexpr int most_halo = 8;
    for (int halo = most_halo; halo >= 1; --halo) {
        const int columns = size <= ResidentShape::columns ? 1 : ceiling(size, ResidentShape::columns - 2 * halo);
        // Flat tiles have many neighbours for few cells of their own: at least twice the halo.
        const int rows = std::min(multiprocessors / columns, std::max(1, size / (2 * halo)));
        if (rows < 1 || (columns > 1 && size / columns < halo) || (rows > 1 && size / rows < halo)) {
            continue;
        }
        const int height = rows == 1 ? size : ceiling(size, rows) + 2 * halo;
        if (height <= ResidentShape::most_height) {
            return ResidentLayout{columns, rows, halo};
        }
    }
    return std::nullopt;
}

std::string resident_obstacle(CudaQueue& queue, const ExcitationSetup& setup) {
    return with_precision(setup.precision, [&](auto zero) { return obstacle<decltype(zero)>(queue, setup.size); });
}

std::unique_ptr<Excitation> make_resident_sheet(Backend& gpu, const ExcitationSetup& setup) {
    CudaQueue& queue = cuda_queue_of(gpu);
    const std::string why_not = resident_obstacle(queue, setup);
    if (!why_not.empty()) {
        throw UsageError(why_not);
    }
    const ResidentLayout layout = *ResidentLayout::of(static_cast<int>(setup.size), queue.multiprocessor_count());
    return with_precision(setup.precision, [&](auto zero) -> std::unique_ptr<Excitation> {
        return std::make_unique<ResidentExcitation<decltype(zero)>>(gpu, setup, layout);
    });
}

}  // namespace recon
