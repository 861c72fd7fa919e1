#include "core/base/cpu_memory.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace recon {
namespace {

constexpr std::size_t mebibyte = std::size_t{1} << 20;

TEST(CpuMemory, IsAligned) {
    for (const std::size_t bytes : {std::size_t{1}, std::size_t{1000}, 3 * mebibyte, 9 * mebibyte}) {
        void* data = allocate_cpu_memory(bytes);
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(data) % 64, 0U);
        release_cpu_memory(data, bytes);
    }
}

/// What was released is taken again, by who asks for as much, and is in the books once.
TEST(CpuMemory, LargeBlocksAreUsedAgain) {
    const std::size_t before = cpu_memory().in_use();
    constexpr std::size_t bytes = 37 * mebibyte + 128;
    void* first = allocate_cpu_memory(bytes);
    EXPECT_EQ(cpu_memory().in_use(), before + bytes);
    release_cpu_memory(first, bytes);
    EXPECT_EQ(cpu_memory().in_use(), before);
    void* second = allocate_cpu_memory(bytes);
    EXPECT_EQ(first, second);
    void* third = allocate_cpu_memory(bytes);
    EXPECT_NE(second, third);
    EXPECT_EQ(cpu_memory().in_use(), before + 2 * bytes);
    release_cpu_memory(second, bytes);
    release_cpu_memory(third, bytes);
}

TEST(CpuMemory, BlocksThatAreKeptCountForNoLimit) {
    constexpr std::size_t bytes = 41 * mebibyte;
    release_cpu_memory(allocate_cpu_memory(bytes), bytes);
    EXPECT_GE(kept_cpu_memory_bytes(), bytes);
    cpu_memory().set_limit(cpu_memory().in_use() + bytes + mebibyte);
    void* data = allocate_cpu_memory(bytes + mebibyte);
    EXPECT_ANY_THROW(allocate_cpu_memory(mebibyte));
    cpu_memory().set_limit(MemoryBudget::unlimited);
    release_cpu_memory(data, bytes + mebibyte);
}

}  // namespace
}  // namespace recon
