#pragma once

#include <atomic>
#include <cstddef>
#include <limits>
#include <string>
#include <utility>

namespace recon {

/// Books on one memory, that of a device or of the host: what is in use, what was at most, and what may be. Every
/// allocation of a backend and of its plans is entered. Threads may share it.
class MemoryBudget {
public:
    static constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();

    /// @param owner  for messages: "cuda:0"
    explicit MemoryBudget(std::string owner) : owner_(std::move(owner)) {}
    MemoryBudget(const MemoryBudget&) = delete;
    MemoryBudget& operator=(const MemoryBudget&) = delete;

    /// From now on no more than that may be in use.
    void set_limit(std::size_t bytes) { limit_ = bytes; }
    std::size_t limit() const { return limit_; }
    std::size_t left() const;  ///< `unlimited` if there is no limit

    /// Most bytes that work which can be done in pieces (batches of coils, slabs, runs of samples) should hold for a
    /// piece. Each algorithm has a largest useful piece of its own, and takes at least the smallest that exists.
    void set_piece_bytes(std::size_t bytes) { piece_bytes_ = bytes; }
    std::size_t piece_bytes() const { return piece_bytes_; }

    /// @throws DeviceError saying how much was asked for, the limit, and what is in use
    void take(std::size_t bytes);
    void give_back(std::size_t bytes) noexcept { in_use_ -= bytes; }

    std::size_t in_use() const { return in_use_; }
    std::size_t peak() const { return peak_; }
    /// Begins a new measurement: the peak is what is in use now.
    void restart_peak() { peak_ = in_use_.load(); }

private:
    std::string owner_;
    std::atomic<std::size_t> limit_ = unlimited;
    std::atomic<std::size_t> piece_bytes_ = unlimited;
    std::atomic<std::size_t> in_use_ = 0;
    std::atomic<std::size_t> peak_ = 0;
};

/// Books memory that comes from elsewhere (standard containers) for as long as it lives.
class MemoryClaim {
public:
    MemoryClaim() = default;
    MemoryClaim(MemoryBudget& budget, std::size_t bytes) : budget_(&budget), bytes_(bytes) { budget.take(bytes); }
    ~MemoryClaim() {
        if (budget_) {
            budget_->give_back(bytes_);
        }
    }
    MemoryClaim(MemoryClaim&& other) noexcept : budget_(std::exchange(other.budget_, nullptr)), bytes_(other.bytes_) {}
    MemoryClaim& operator=(MemoryClaim&& other) noexcept {
        std::swap(budget_, other.budget_);
        std::swap(bytes_, other.bytes_);
        return *this;
    }
    /// Leaves the entry in the books, for somebody else to give back.
    void keep() { budget_ = nullptr; }

private:
    MemoryBudget* budget_ = nullptr;
    std::size_t bytes_ = 0;
};

/// "3.10 GB", "12.5 MB" or "640 bytes".
std::string memory_text(std::size_t bytes);

}  // namespace recon
