#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <vector>

namespace recon {

/// Memory that threads copy in pieces, each of them once it is released: one thread leads, which releases pieces, waits
/// for them and helps meanwhile, and the others copy. All in one parallel region: to wake threads for each piece would
/// take longer than they copy.
class PieceCopies {
public:
    /// @param piece_bytes  a multiple of 256 KB, which a thread copies at a time
    /// @param copy  copies the bytes from an offset on; called by several threads at once
    PieceCopies(std::size_t bytes, std::size_t piece_bytes,
                std::function<void(std::size_t offset, std::size_t length)> copy);

    /// Runs `lead` in the thread that calls, and the copies in it and others. What `lead` throws ends them, and comes
    /// out of here.
    void run(const std::function<void()>& lead);

    std::size_t piece_count() const { return left_.size(); }
    /// For `lead`: pieces before `end` may be copied.
    void release(std::size_t end) { released_.store(end, std::memory_order_release); }
    /// For `lead`: returns when the piece, which is released, is copied.
    void wait_for(std::size_t piece);

private:
    bool take_run();  ///< of what is released; false if there is none to take
    void follow();

    std::size_t bytes_, piece_bytes_;
    std::function<void(std::size_t, std::size_t)> copy_;
    std::atomic<std::size_t> released_ = 0;  ///< pieces before it
    std::atomic<std::size_t> next_run_ = 0;
    std::vector<std::atomic<int>> left_;  ///< runs of each piece that are not copied yet
    std::atomic<bool> ends_ = false;
};

}  // namespace recon
