#include "data/files/reading_process/shared_block.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <new>
#include <utility>

#include "core/base/error.hpp"

namespace recon {
namespace {

/// Memory that is short is one thing, to be told by who knows for what; limits of files are another.
[[noreturn]] void refused(int reason, std::size_t bytes) {
    if (reason == ENOMEM) {
        throw std::bad_alloc();
    }
    throw DeviceError(
        fmt::format("to read an HDF5 file takes {:.1f} kB of shared memory, and the system refuses it: {}{}",
                    static_cast<double>(bytes) * 1e-3, std::strerror(reason),
                    reason == EFBIG    ? " (ulimit -f)"
                    : reason == EMFILE ? " (ulimit -n)"
                                       : ""));
}

}  // namespace

SharedBlock::SharedBlock(std::size_t bytes) : size_(bytes) {
    if (bytes == 0) {
        return;
    }
    descriptor_ = memfd_create("recon", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (descriptor_ < 0 || ftruncate(descriptor_, static_cast<off_t>(bytes)) != 0 ||
        fcntl(descriptor_, F_ADD_SEALS, F_SEAL_SHRINK) != 0) {
        const int reason = errno;
        reset();
        refused(reason, bytes);
    }
    map();
}

SharedBlock::SharedBlock(int descriptor, std::size_t bytes) : descriptor_(descriptor), size_(bytes) {
    struct stat status {};
    const int seals = fcntl(descriptor_, F_GET_SEALS);
    if (fstat(descriptor_, &status) != 0 || static_cast<std::size_t>(status.st_size) < bytes || seals < 0 ||
        (seals & F_SEAL_SHRINK) == 0) {
        reset();
        throw std::bad_alloc();
    }
    map();
}

SharedBlock::~SharedBlock() { reset(); }

SharedBlock::SharedBlock(SharedBlock&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      memory_(std::exchange(other.memory_, nullptr)),
      size_(std::exchange(other.size_, 0)) {}

SharedBlock& SharedBlock::operator=(SharedBlock&& other) noexcept {
    if (this != &other) {
        reset();
        descriptor_ = std::exchange(other.descriptor_, -1);
        memory_ = std::exchange(other.memory_, nullptr);
        size_ = std::exchange(other.size_, 0);
    }
    return *this;
}

SharedBlock SharedBlock::first(std::size_t bytes) const {
    const int descriptor = fcntl(descriptor_, F_DUPFD_CLOEXEC, 0);
    if (descriptor < 0) {
        refused(errno, bytes);
    }
    return {descriptor, bytes};
}

/// All pages at once: they are all used, and one after the other takes twice as long.
void SharedBlock::map() {
    void* const memory = mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, descriptor_, 0);
    if (memory == MAP_FAILED) {
        reset();
        throw std::bad_alloc();
    }
    memory_ = static_cast<std::byte*>(memory);
}

void SharedBlock::reset() noexcept {
    if (memory_ != nullptr) {
        munmap(memory_, size_);
    }
    if (descriptor_ >= 0) {
        close(descriptor_);
    }
    descriptor_ = -1;
    memory_ = nullptr;
    size_ = 0;
}

}  // namespace recon
