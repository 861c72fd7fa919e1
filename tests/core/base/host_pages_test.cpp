#include "core/base/host_pages.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>

#include "core/base/types.hpp"

namespace recon {
namespace {

template <class T>
void expect_a_usual_vector(std::size_t count) {
    std::vector<T> values = unwritten_vector<T>(count);
    ASSERT_EQ(values.size(), count);
    for (std::size_t i = 0; i < count; ++i) {
        values[i] = static_cast<T>(i % 1000);
    }
    const std::vector<T> copy = values;
    values.push_back(7);
    values.resize(count + 2);
    EXPECT_EQ(values.back(), T(0));
    values.resize(count);
    EXPECT_EQ(values, copy);
}

TEST(UnwrittenVector, IsAUsualOne) {
    for (const std::size_t count : {0UL, 1UL, 1000UL, 5'000'001UL}) {  // the last takes pages provided for it
        expect_a_usual_vector<float>(count);
        expect_a_usual_vector<cfloat>(count);
        expect_a_usual_vector<double>(count);
    }
}

/// Else nothing is gained: what the memory held before is still there.
TEST(UnwrittenVector, IsNotWritten) {
#ifdef __SANITIZE_ADDRESS__
    GTEST_SKIP() << "the sanitizer gives no memory out again";
#endif
    constexpr std::size_t count = 1000;
    std::uintptr_t before = 0;
    {
        const std::vector<double> seven(count, 7.0);
        before = reinterpret_cast<std::uintptr_t>(seven.data());
    }
    const std::vector<double> values = unwritten_vector<double>(count);
    if (reinterpret_cast<std::uintptr_t>(values.data()) != before) {
        GTEST_SKIP() << "this allocator does not give the same memory out again";
    }
    EXPECT_EQ(values[count / 2], 7);
}

/// Pages of some memory that are there.
std::size_t resident_pages(const void* begin, std::size_t bytes) {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const std::uintptr_t address = reinterpret_cast<std::uintptr_t>(begin) / page * page;
    std::vector<unsigned char> pages((bytes + page - 1) / page);
    EXPECT_EQ(mincore(reinterpret_cast<void*>(address), pages.size() * page, pages.data()), 0);
    return static_cast<std::size_t>(
        std::count_if(pages.begin(), pages.end(), [](unsigned char one) { return one % 2; }));
}

TEST(GiveBackPages, TakesWhatAShorterVectorKeepsAndNothingElse) {
    constexpr std::size_t count = 16'000'000, kept = 3'000'001;  // 128 MB, 24 MB
    std::vector<double> values(count, 7.0);
    values.resize(kept);
    double* const rest = values.data() + kept;
    const std::size_t rest_bytes = (count - kept) * sizeof(double);
    const std::size_t before = resident_pages(rest, rest_bytes);
    give_back_pages(rest, rest_bytes);
    constexpr std::size_t large_pages_at_the_ends = 2 * 512;
    EXPECT_GT(before, 10 * large_pages_at_the_ends);
    EXPECT_LE(resident_pages(rest, rest_bytes), large_pages_at_the_ends);
    values.resize(count, 3.0);
    EXPECT_EQ(std::count(values.begin(), values.begin() + kept, 7.0), static_cast<std::ptrdiff_t>(kept));
    EXPECT_EQ(std::count(values.begin() + kept, values.end(), 3.0), static_cast<std::ptrdiff_t>(count - kept));
}

}  // namespace
}  // namespace recon
