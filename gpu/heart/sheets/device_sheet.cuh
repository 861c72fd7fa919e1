#pragma once

#include "core/heart/excitation.hpp"
#include "core/heart/excitation_rates.hpp"
#include "gpu/backend/cuda_backend.cuh"

namespace recon {

/// How the cells of a sheet lie in a GPU's memory.
enum class SheetLayout {
    plain,  ///< rows one after the other
    ghosts  ///< with a ring of cells around them that hold what mirrored ends would see
};

/// E and R in a GPU's memory; what steps them derives from it.
template <class T>
class DeviceSheet : public Excitation {
public:
    /// @throws UsageError if the tissue is not the same everywhere, or `gpu` is none of CUDA
    DeviceSheet(Backend& gpu, const ExcitationSetup& setup, SheetLayout layout, int recovery_copies = 1);

    void synchronize() override { queue_.synchronize(); }
    ExcitationState state() override;
    void set_state(const ExcitationState& state) override;

protected:
    T* excitation() { return excitation_[current_].data(); }
    T* next_excitation() { return excitation_[1 - current_].data(); }
    T* recovery() { return recovery_[recovery_copies_ > 1 ? current_ : 0].data(); }
    T* next_recovery() { return recovery_[1 - current_].data(); }  ///< of two copies
    void swap() { current_ = 1 - current_; }
    int current() const { return current_; }

    CudaQueue& queue_;
    const ExcitationRates<T> rates_;
    const int size_;
    const int ring_;  ///< cells around the sheet
    const Index pitch_;

private:
    std::vector<double> numbers_of(const DeviceBuffer<T>& buffer) const;
    void take_numbers(const std::vector<double>& numbers, DeviceBuffer<T>& buffer);

    const int recovery_copies_;
    DeviceBuffer<T> excitation_[2], recovery_[2];
    int current_ = 0;
};

/// @throws UsageError if it differs from cell to cell
void require_equal_tissue(const ExcitationSetup& setup);
/// @throws UsageError if it is none of CUDA
CudaQueue& cuda_queue_of(Backend& gpu);

inline unsigned tiles_of(int size, int tile) { return static_cast<unsigned>((size + tile - 1) / tile); }

}  // namespace recon
