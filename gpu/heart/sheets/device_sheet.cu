#include "gpu/heart/sheets/device_sheet.cuh"

#include "core/base/error.hpp"

namespace recon {

CudaQueue& cuda_queue_of(Backend& gpu) {
    auto* backend = dynamic_cast<CudaBackend*>(&gpu);
    if (!backend) {
        throw UsageError("a sheet of cells on a GPU was asked of " + gpu.name());
    }
    return backend->queue();
}

void require_equal_tissue(const ExcitationSetup& setup) {
    if (setup.tissue) {
        throw UsageError("tissue that differs from cell to cell is for the CPU alone; use `device` cpu");
    }
}

template <class T>
DeviceSheet<T>::DeviceSheet(Backend& gpu, const ExcitationSetup& setup, SheetLayout layout, int recovery_copies)
    : queue_(cuda_queue_of(gpu)),
      rates_(setup),
      size_(static_cast<int>(setup.size)),
      ring_(layout == SheetLayout::ghosts ? 1 : 0),
      pitch_(setup.size + 2 * ring_),
      recovery_copies_(recovery_copies) {
    require_equal_tissue(setup);
    for (DeviceBuffer<T>& buffer : excitation_) {
        buffer = DeviceBuffer<T>(queue_, pitch_ * pitch_);
    }
    for (int copy = 0; copy < recovery_copies; ++copy) {
        recovery_[copy] = DeviceBuffer<T>(queue_, pitch_ * pitch_);
    }
    set_state(ExcitationState::spiral_start(setup.size));
}

template <class T>
std::vector<double> DeviceSheet<T>::numbers_of(const DeviceBuffer<T>& buffer) const {
    std::vector<T> all(buffer.size());
    queue_.download_bytes(buffer.data(), all.data(), all.size() * sizeof(T));
    std::vector<double> numbers;
    numbers.reserve(Index{size_} * size_);
    for (Index row = ring_; row < ring_ + size_; ++row) {
        const auto begin = all.begin() + row * pitch_ + ring_;
        numbers.insert(numbers.end(), begin, begin + size_);
    }
    return numbers;
}

template <class T>
void DeviceSheet<T>::take_numbers(const std::vector<double>& numbers, DeviceBuffer<T>& buffer) {
    std::vector<T> all(buffer.size());
    for (Index row = 0; row < size_; ++row) {
        for (Index column = 0; column < size_; ++column) {
            all[(row + ring_) * pitch_ + column + ring_] = static_cast<T>(numbers[row * size_ + column]);
        }
    }
    queue_.upload_bytes(all.data(), buffer.data(), all.size() * sizeof(T));
}

template <class T>
ExcitationState DeviceSheet<T>::state() {
    ExcitationState state;
    state.size = size_;
    state.excitation = numbers_of(excitation_[current_]);
    state.recovery = numbers_of(recovery_[recovery_copies_ > 1 ? current_ : 0]);
    return state;
}

template <class T>
void DeviceSheet<T>::set_state(const ExcitationState& state) {
    if (state.size != size_) {
        throw ShapeError("a state of " + std::to_string(state.size) + " cells a side for a sheet of " +
                         std::to_string(size_));
    }
    current_ = 0;
    take_numbers(state.excitation, excitation_[0]);
    take_numbers(state.excitation, excitation_[1]);  // so that no ghost cell is ever undefined
    for (int copy = 0; copy < recovery_copies_; ++copy) {
        take_numbers(state.recovery, recovery_[copy]);
    }
}

template class DeviceSheet<float>;
template class DeviceSheet<double>;

}  // namespace recon
