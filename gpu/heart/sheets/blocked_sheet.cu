#include "gpu/heart/sheets/blocked_sheet.cuh"

#include <algorithm>
#include <deque>

#include "core/base/error.hpp"
#include "gpu/heart/sheets/device_sheet.cuh"
#include "gpu/heart/sheets/device_strip.cuh"

namespace recon {
namespace {

template <class T>
class BlockedSheet final : public Excitation {
public:
    BlockedSheet(std::span<Backend* const> gpus, const ExcitationSetup& setup, int steps_a_pass, HaloCopies copies)
        : size_(setup.size), steps_a_pass_(steps_a_pass) {
        std::vector<int> ordinals;
        for (Backend* gpu : gpus) {
            ordinals.push_back(cuda_queue_of(*gpu).ordinal());
        }
        auto gpu = gpus.begin();
        for (const SheetStrip& rows : sheet_strips(setup.size, std::ssize(gpus), steps_a_pass)) {
            CudaQueue& queue = cuda_queue_of(**gpu++);
            queue.open_memory_to(ordinals);
            strips_.emplace_back(queue, setup, rows, steps_a_pass, copies);
        }
        set_state(ExcitationState::spiral_start(setup.size));
    }

    ~BlockedSheet() override {
        for (const DeviceStrip<T>& strip : strips_) {
            strip.wait_for_copies();
        }
    }

    void advance(Index steps) override {
        for (; steps > 0; steps -= std::min<Index>(steps, steps_a_pass_)) {
            pass(static_cast<int>(std::min<Index>(steps, steps_a_pass_)));
        }
    }

    void synchronize() override {
        for (const DeviceStrip<T>& strip : strips_) {
            strip.synchronize();
        }
    }

    ExcitationState state() override {
        synchronize();
        ExcitationState state = ExcitationState::at_rest(size_);
        for (const DeviceStrip<T>& strip : strips_) {
            strip.copy_own_to(state);
        }
        return state;
    }

    void set_state(const ExcitationState& state) override {
        state.require_size(size_);
        synchronize();
        for (DeviceStrip<T>& strip : strips_) {
            strip.set_state(state);
        }
        synchronize();
    }

private:
    void pass(int steps) {
        for (DeviceStrip<T>& strip : strips_) {
            strip.step(steps);
        }
        for_each_border([](DeviceStrip<T>& above, DeviceStrip<T>& below) {
            above.send_to(below);
            below.send_to(above);
        });
        for (DeviceStrip<T>& strip : strips_) {
            strip.all_sent();
        }
        for_each_border([](DeviceStrip<T>& above, DeviceStrip<T>& below) {
            above.wait_for(below);
            below.wait_for(above);
        });
        for (DeviceStrip<T>& strip : strips_) {
            strip.end_pass();
        }
    }

    template <class Visit>
    void for_each_border(Visit&& visit) {
        for (std::size_t below = 1; below < strips_.size(); ++below) {
            visit(strips_[below - 1], strips_[below]);
        }
    }

    const Index size_;
    const int steps_a_pass_;
    std::deque<DeviceStrip<T>> strips_;
};

}  // namespace

std::unique_ptr<Excitation> make_blocked_sheet(std::span<Backend* const> gpus, const ExcitationSetup& setup,
                                               int steps_a_pass, HaloCopies copies) {
    const int most = gpus.size() > 1 ? BlockedShape::most_height / 4 : 16;
    if (steps_a_pass < 1 || steps_a_pass > most) {
        throw ShapeError("a blocked sheet makes 1 to " + std::to_string(most) + " steps a pass");
    }
    require_equal_tissue(setup);
    return with_precision(setup.precision, [&](auto zero) -> std::unique_ptr<Excitation> {
        return std::make_unique<BlockedSheet<decltype(zero)>>(gpus, setup, steps_a_pass, copies);
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
