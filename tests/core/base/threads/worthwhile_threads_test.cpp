#include "core/base/threads/worthwhile_threads.hpp"

#include <gtest/gtest.h>
#include <omp.h>

namespace recon {
namespace {

TEST(WorthwhileThreads, GrowWithTheWorkFromOneToAll) {
    const int before = omp_get_max_threads();
    omp_set_num_threads(6);
    EXPECT_EQ(worthwhile_threads(0), 1);
    EXPECT_EQ(worthwhile_threads(5e4), 1);
    EXPECT_EQ(worthwhile_threads(2.5e5), 2);
    EXPECT_EQ(worthwhile_threads(1e9), 6);
    EXPECT_EQ(worthwhile_threads(1e30), 6);
    omp_set_num_threads(before);
}

}  // namespace
}  // namespace recon
