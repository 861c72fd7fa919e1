#pragma once

#include <cstddef>
#include <cstdint>

#include "data/files/reading_process/shared_block.hpp"

namespace recon {

/// Memory for the parts of one reading, which lie there one after the other: to ask the system for it anew each time
/// takes as long as to read them.
struct ReadingRoom {
    std::uint64_t reading = 0;  ///< its number
    bool more = false;          ///< parts after this one

    /// One that no other reading of this process has.
    static ReadingRoom of_its_own();
    /// In the process that reads. What lies there stays as it is until the next part of the same reading.
    SharedBlock memory(std::size_t bytes) const;
};

}  // namespace recon
