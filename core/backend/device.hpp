#pragma once

#include <algorithm>
#include <cstddef>
#include <string>

#include "core/backend/array.hpp"
#include "core/base/memory_budget.hpp"

namespace recon {

/// What computes, with its memory and its one ordered queue of work. Only `download` and `synchronize` wait for the
/// queue.
class Device {
public:
    virtual ~Device() = default;

    virtual std::string name() const = 0;         ///< as on the command line: "cpu", "cuda:0"
    virtual std::string description() const = 0;  ///< for the log: device, threads or multiprocessors, memory

    /// What could still be allocated, the limit of `memory()` considered.
    virtual std::size_t memory_free_bytes() const = 0;
    virtual MemoryBudget& memory() const = 0;  ///< the books that every allocation is entered into
    virtual bool memory_is_host() const = 0;   ///< whether that memory is the host's own
    /// Enters memory of the host that comes from standard containers into the books, where it is the backend's own.
    MemoryClaim claim_on_host(std::size_t bytes) const {
        return memory_is_host() ? MemoryClaim(memory(), bytes) : MemoryClaim();
    }

    /// @throws DeviceError saying how much was asked for, and how much was free or the limit
    virtual void* allocate(std::size_t bytes) = 0;
    virtual void deallocate(void* data, std::size_t bytes) noexcept = 0;
    virtual void upload(const void* host, Precision host_precision, ArrayView array) = 0;
    virtual void download(ConstArrayView array, void* host, Precision host_precision) = 0;
    virtual void synchronize() = 0;

    /// False for a backend that only books what work would hold (core/backend/counting): its numbers are never looked
    /// at.
    virtual bool computes() const { return true; }
    /// How many numbers a list on the host has that stands for `count`: where nothing is computed it has one, whatever
    /// it stands for, so that work on the host takes neither time nor memory.
    Index listed(Index count) const { return computes() ? count : std::min<Index>(count, 1); }
};

}  // namespace recon
