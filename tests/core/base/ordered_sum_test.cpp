#include "core/base/ordered_sum.hpp"

#include <gtest/gtest.h>
#include <omp.h>

#include <array>

namespace recon {
namespace {

std::array<double, 2> sums_with(int threads, Index count) {
    const int before = omp_get_max_threads();
    omp_set_num_threads(threads);
    const std::array<double, 2> sums = ordered_sums<2>(count, [](Index first, Index end, std::array<double, 2>& part) {
        for (Index i = first; i < end; ++i) {
            part[0] += 1;
            part[1] += 1 / static_cast<double>(i + 1);
        }
    });
    omp_set_num_threads(before);
    return sums;
}

TEST(OrderedSums, CountEachTermOnceInOneOrder) {
    for (const Index count : {Index{0}, Index{1}, Index{4096}, Index{100'001}}) {
        const std::array<double, 2> sums = sums_with(1, count);
        EXPECT_EQ(sums[0], static_cast<double>(count));
        EXPECT_EQ(sums_with(3, count), sums);
        EXPECT_EQ(ordered_sum(count, [](Index i) { return 1 / static_cast<double>(i + 1); }), sums[1]);
    }
}

}  // namespace
}  // namespace recon
