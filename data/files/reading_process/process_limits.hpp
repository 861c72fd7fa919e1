#pragma once

#include <cstddef>

namespace recon {

/// What another process may take for one piece of work.
struct ReadingLimits {
    std::size_t memory_bytes = std::size_t{1} << 30;  ///< beside what it has
    unsigned processor_s = 10;
    unsigned wall_s = 60;

    /// For work whose numbers take that much memory, on slow disks and through slow filters.
    ReadingLimits with(std::size_t bytes) const;
};

/// Nothing of this process is seen outside from now on: no words, no core file, no open files but one.
void become_silent(int only_descriptor);

/// From now on, for all that this process does until the next call.
void set_reading_limits(const ReadingLimits& limits);

/// Nothing is timed any more, until the next call.
void pause_reading_limits();

}  // namespace recon
