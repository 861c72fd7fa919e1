#include "core/base/host_pages.hpp"

#include <gtest/gtest.h>

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
    const double* before = nullptr;
    {
        const std::vector<double> seven(count, 7.0);
        before = seven.data();
    }
    const std::vector<double> values = unwritten_vector<double>(count);
    if (values.data() != before) {
        GTEST_SKIP() << "this allocator does not give the same memory out again";
    }
    EXPECT_EQ(values[count / 2], 7);
}

}  // namespace
}  // namespace recon
