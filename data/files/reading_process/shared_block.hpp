#pragma once

#include <cstddef>
#include <span>

namespace recon {

/// Memory that two processes see: what one of them has read, too much to be sent. It cannot become shorter.
class SharedBlock {
public:
    SharedBlock() = default;  ///< of no bytes
    /// Of zeros. @throws std::bad_alloc
    explicit SharedBlock(std::size_t bytes);
    /// The other side of one, by its descriptor, which becomes this one's. @throws std::bad_alloc if it is not what it
    /// is said to be
    SharedBlock(int descriptor, std::size_t bytes);
    ~SharedBlock();
    SharedBlock(SharedBlock&& other) noexcept;
    SharedBlock& operator=(SharedBlock&& other) noexcept;
    SharedBlock(const SharedBlock&) = delete;
    SharedBlock& operator=(const SharedBlock&) = delete;

    /// The same memory, its first bytes. @throws std::bad_alloc
    SharedBlock first(std::size_t bytes) const;

    std::span<std::byte> bytes() const { return {memory_, size_}; }
    template <class T>
    std::span<T> as() const {
        return {reinterpret_cast<T*>(memory_), size_ / sizeof(T)};
    }
    int descriptor() const { return descriptor_; }  ///< -1 of no bytes

private:
    void map();
    void reset() noexcept;

    int descriptor_ = -1;
    std::byte* memory_ = nullptr;
    std::size_t size_ = 0;
};

}  // namespace recon
