#pragma once

#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <span>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/types.hpp"

namespace recon {

/// Another rank failed, and its error is the one to show.
class RanksAborted : public Error {
public:
    RanksAborted() : Error("another rank of the reconstruction failed") {}
};

/// Where the ranks of one process, a thread each, wait for each other.
class RankMeeting {
public:
    explicit RankMeeting(int size) : offers_(size) {}
    int size() const { return static_cast<int>(offers_.size()); }

    /// Waits until all ranks are here. @throws RanksAborted
    void wait();

    /// Memory that a rank lets the others see.
    struct Offer {
        void* data = nullptr;
        Index size = 0;
    };
    /// Waits for all ranks, then shows everyone's memory, in the order of the ranks, until the `wait` that must follow.
    /// @throws RanksAborted, ShapeError if the sizes differ
    std::span<const Offer> exchange(int rank, Offer mine);

    /// values = sum of the ranks' values, added in the order of the ranks. @throws as exchange
    void sum(int rank, std::span<double> values);
    /// bytes = those of rank 0. @throws as exchange
    void broadcast(int rank, std::span<std::byte> bytes);

    /// From now on `wait` throws on every rank, those that wait already included.
    void abort() noexcept;

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<Offer> offers_;
    int arrived_ = 0;
    long round_ = 0;
    bool aborted_ = false;
};

}  // namespace recon
