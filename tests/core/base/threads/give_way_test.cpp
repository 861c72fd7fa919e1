#include "core/base/threads/give_way.hpp"

#include <gtest/gtest.h>

#ifdef __linux__
#include <sys/resource.h>
#endif

#include <thread>

namespace recon {
namespace {

#ifdef __linux__
TEST(GiveWay, IsOfOneThreadAlone) {
    const int before = getpriority(PRIO_PROCESS, 0);
    int of_thread = before;
    std::jthread([&] {
        give_way_to_other_threads();
        of_thread = getpriority(PRIO_PROCESS, 0);
    }).join();
    EXPECT_GE(of_thread, std::max(before, 10));
    EXPECT_EQ(getpriority(PRIO_PROCESS, 0), before);
}
#endif

}  // namespace
}  // namespace recon
