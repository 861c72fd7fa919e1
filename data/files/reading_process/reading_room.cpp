#include "data/files/reading_process/reading_room.hpp"

#include <atomic>

namespace recon {

ReadingRoom ReadingRoom::of_its_own() {
    static std::atomic<std::uint64_t> readings = 0;
    return {++readings, true};
}

SharedBlock ReadingRoom::memory(std::size_t bytes) const {
    static thread_local SharedBlock kept;
    static thread_local std::uint64_t kept_for = 0;
    if (kept_for != reading || kept.bytes().size() < bytes) {
        kept = SharedBlock(bytes);
        kept_for = reading;
    }
    SharedBlock part = kept.first(bytes);
    if (!more) {
        kept = {};
        kept_for = 0;
    }
    return part;
}

}  // namespace recon
