#pragma once

#include "core/heart/excitation.hpp"
#include "core/heart/excitation_rates.hpp"
#include "core/heart/sheet_strips.hpp"
#include "gpu/device/cuda_queue.cuh"
#include "gpu/heart/sheets/blocked_kernel.cuh"
#include "gpu/heart/sheets/blocked_sheet.cuh"

namespace recon {

/// A strip of a sheet in the memory of one GPU, several steps for each pass over it. Calls queue work and return.
///
/// The queue's stream steps the inner tiles. A second one, whose blocks go first where both wait for room, steps the
/// tiles along the rims, then copies to the neighbours the rows that they keep: these travel while inner tiles are
/// stepped. Events order one pass after the other, and nothing waits on the host.
template <class T>
class DeviceStrip {
public:
    DeviceStrip(CudaQueue& queue, const ExcitationSetup& setup, const SheetStrip& rows, int steps_a_pass,
                HaloCopies copies);
    DeviceStrip(const DeviceStrip&) = delete;
    DeviceStrip& operator=(const DeviceStrip&) = delete;

    // A pass, each part on all strips before the next.
    void step(int steps);
    void send_to(DeviceStrip& neighbour);
    void all_sent();
    /// The next pass may begin when this one is done here and this neighbour's rows are here.
    void wait_for(const DeviceStrip& neighbour);
    void end_pass();

    void synchronize() const;
    /// For destructors: memory is freed in the order of the queue, of which copies between strips know nothing.
    void wait_for_copies() const noexcept { warn(cudaStreamSynchronize(rim_stream_.get())); }
    void set_state(const ExcitationState& state);
    void copy_own_to(ExcitationState& state) const;

private:
    static constexpr auto kernel = blocked_kernel<T, BlockedShape, Division::quick>;

    bool has_neighbours() const { return tiles_.rims.count > 0; }
    void launch(const TileRows& tile_rows, int steps, cudaStream_t stream);

    CudaQueue& queue_;
    const ExcitationRates<T> rates_;
    const Index columns_;
    const SheetStrip rows_;
    const int steps_a_pass_;
    StripTiles tiles_;
    StreamHandle rim_stream_;
    EventHandle inner_done_, rims_done_, rims_sent_;
    DeviceBuffer<T> excitation_[2], recovery_[2];
    int current_ = 0;
};

}  // namespace recon
