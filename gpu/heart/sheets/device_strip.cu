#include "gpu/heart/sheets/device_strip.cuh"

#include <algorithm>

#include "gpu/heart/sheets/device_sheet.cuh"

namespace recon {
namespace {

StreamHandle make_urgent_stream(const CudaQueue& queue) {
    queue.stream();  // makes its device the current one
    int least = 0, greatest = 0;
    check(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    cudaStream_t stream = nullptr;
    check(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, greatest));
    return StreamHandle(stream);
}

EventHandle make_event(const CudaQueue& queue) {
    queue.stream();  // makes its device the current one
    cudaEvent_t event = nullptr;
    check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    return EventHandle(event);
}

}  // namespace

template <class T>
DeviceStrip<T>::DeviceStrip(CudaQueue& queue, const ExcitationSetup& setup, const SheetStrip& rows, int steps_a_pass,
                            HaloCopies copies)
    : queue_(queue),
      rates_(setup),
      columns_(setup.size),
      rows_(rows),
      steps_a_pass_(steps_a_pass),
      tiles_(strip_tiles(rows, BlockedShape::most_height - 2 * steps_a_pass)),
      rim_stream_(make_urgent_stream(queue)),
      inner_done_(make_event(queue)),
      rims_done_(make_event(queue)),
      rims_sent_(make_event(queue)) {
    if (copies == HaloCopies::after_all && has_neighbours()) {
        tiles_.rims = {.first = 0, .stride = 1, .count = tiles_.count};
        tiles_.inner = {};
    }
    for (DeviceBuffer<T>* buffer : {&excitation_[0], &excitation_[1], &recovery_[0], &recovery_[1]}) {
        *buffer = DeviceBuffer<T>(queue, rows.stored_rows() * columns_);
    }
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(BlockedShape::shared_bytes<T>)));
}

template <class T>
void DeviceStrip<T>::launch(const TileRows& tile_rows, int steps, cudaStream_t stream) {
    if (tile_rows.count == 0) {
        return;
    }
    const StripPass<T> pass{.excitation = excitation_[current_].data(),
                            .recovery = recovery_[current_].data(),
                            .next_excitation = excitation_[1 - current_].data(),
                            .next_recovery = recovery_[1 - current_].data(),
                            .columns = static_cast<int>(columns_),
                            .first_row = static_cast<int>(rows_.first_row - rows_.stored_first),
                            .end_row = static_cast<int>(rows_.end_row - rows_.stored_first),
                            .stored_rows = static_cast<int>(rows_.stored_rows()),
                            .tile_row_count = tiles_.count,
                            .halo = steps_a_pass_,
                            .steps = steps};
    const dim3 blocks(tiles_of(static_cast<int>(columns_), BlockedShape::columns - 2 * steps_a_pass_),
                      static_cast<unsigned>(tile_rows.count));
    const dim3 threads(BlockedShape::columns, BlockedShape::segments);
    kernel<<<blocks, threads, BlockedShape::shared_bytes<T>, stream>>>(rates_, pass, tile_rows);
    check_launch();
}

template <class T>
void DeviceStrip<T>::step(int steps) {
    const cudaStream_t inner_stream = queue_.stream();
    launch(tiles_.rims, steps, rim_stream_.get());
    launch(tiles_.inner, steps, inner_stream);
    if (has_neighbours()) {
        check(cudaEventRecord(rims_done_.get(), rim_stream_.get()));
        check(cudaEventRecord(inner_done_.get(), inner_stream));
    }
}

template <class T>
void DeviceStrip<T>::send_to(DeviceStrip& neighbour) {
    queue_.stream();  // makes its device the current one
    const SharedRows rows = shared_rows(rows_, neighbour.rows_);
    const Index from = (rows.first_row - rows_.stored_first) * columns_;
    const Index to = (rows.first_row - neighbour.rows_.stored_first) * columns_;
    const auto copy = [&](const DeviceBuffer<T>& mine, DeviceBuffer<T>& theirs) {
        check(cudaMemcpyPeerAsync(theirs.data() + to, neighbour.queue_.ordinal(), mine.data() + from, queue_.ordinal(),
                                  static_cast<std::size_t>(rows.row_count * columns_) * sizeof(T), rim_stream_.get()));
    };
    copy(excitation_[1 - current_], neighbour.excitation_[1 - current_]);
    copy(recovery_[1 - current_], neighbour.recovery_[1 - current_]);
}

template <class T>
void DeviceStrip<T>::all_sent() {
    queue_.stream();  // makes its device the current one
    check(cudaEventRecord(rims_sent_.get(), rim_stream_.get()));
}

template <class T>
void DeviceStrip<T>::wait_for(const DeviceStrip& neighbour) {
    queue_.stream();  // makes its device the current one
    // Its rows have come, and it has read those of its halo that the next pass of this strip overwrites.
    check(cudaStreamWaitEvent(rim_stream_.get(), neighbour.rims_sent_.get()));
}

template <class T>
void DeviceStrip<T>::end_pass() {
    current_ = 1 - current_;
    if (has_neighbours()) {
        check(cudaStreamWaitEvent(rim_stream_.get(), inner_done_.get()));
        check(cudaStreamWaitEvent(queue_.stream(), rims_done_.get()));
    }
}

template <class T>
void DeviceStrip<T>::synchronize() const {
    queue_.synchronize();
    check(cudaStreamSynchronize(rim_stream_.get()));
}

template <class T>
void DeviceStrip<T>::set_state(const ExcitationState& state) {
    const auto upload = [&](const std::vector<double>& numbers, DeviceBuffer<T>& buffer) {
        const std::vector<T> stored(numbers.begin() + rows_.stored_first * columns_,
                                    numbers.begin() + rows_.stored_end * columns_);
        queue_.upload_bytes(stored.data(), buffer.data(), stored.size() * sizeof(T));
    };
    upload(state.excitation, excitation_[current_]);
    upload(state.recovery, recovery_[current_]);
}

template <class T>
void DeviceStrip<T>::copy_own_to(ExcitationState& state) const {
    const Index before = (rows_.first_row - rows_.stored_first) * columns_;
    std::vector<T> own(static_cast<std::size_t>(rows_.rows() * columns_));
    const auto download = [&](const DeviceBuffer<T>& buffer, std::vector<double>& numbers) {
        queue_.download_bytes(buffer.data() + before, own.data(), own.size() * sizeof(T));
        std::copy(own.begin(), own.end(), numbers.begin() + rows_.first_row * columns_);
    };
    download(excitation_[current_], state.excitation);
    download(recovery_[current_], state.recovery);
}

template class DeviceStrip<float>;
template class DeviceStrip<double>;

}  // namespace recon
