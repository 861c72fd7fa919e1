#include "core/base/memory_budget.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "core/base/error.hpp"

namespace recon {
namespace {

TEST(MemoryBudget, RefusesWhatIsBeyondTheLimitAndSaysWhy) {
    MemoryBudget budget("cuda:0");
    budget.take(600'000'000);
    budget.set_limit(1'000'000'000);
    EXPECT_EQ(budget.left(), 400'000'000);
    try {
        budget.take(400'000'001);
        FAIL();
    } catch (const DeviceError& error) {
        EXPECT_THAT(error.what(),
                    ::testing::AllOf(::testing::HasSubstr("cuda:0: 400.0 MB of memory asked for"),
                                     ::testing::HasSubstr("600.0 MB in use"), ::testing::HasSubstr("limit is 1.00 GB"),
                                     ::testing::HasSubstr("`memory_limit`")));
        EXPECT_EQ(error.kind(), ErrorKind::device);
    }
    EXPECT_EQ(budget.in_use(), 600'000'000);
    budget.take(400'000'000);
    EXPECT_EQ(budget.left(), 0);
    EXPECT_THROW(budget.take(MemoryBudget::unlimited), DeviceError);  // no overflow
}

TEST(MemoryBudget, RemembersThePeak) {
    MemoryBudget budget("cpu");
    budget.take(10);
    {
        MemoryClaim claim(budget, 30);
        MemoryClaim taken_over(std::move(claim));
        EXPECT_EQ(budget.in_use(), 40);
    }
    EXPECT_EQ(budget.in_use(), 10);
    EXPECT_EQ(budget.peak(), 40);
    budget.restart_peak();
    EXPECT_EQ(budget.peak(), 10);
    EXPECT_EQ(budget.left(), MemoryBudget::unlimited);
}

TEST(MemoryBudget, ThreadsShareIt) {
    MemoryBudget budget("cpu");
    budget.set_limit(4'000);
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
        threads.emplace_back([&] {
            for (int i = 0; i < 10'000; ++i) {
                budget.take(1'000);
                budget.give_back(1'000);
            }
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    EXPECT_EQ(budget.in_use(), 0);
    EXPECT_LE(budget.peak(), 4'000);
}

TEST(MemoryBudget, WritesSizesForPeople) {
    EXPECT_EQ(memory_text(640), "640 bytes");
    EXPECT_EQ(memory_text(12'500'000), "12.5 MB");
    EXPECT_EQ(memory_text(999'960'000), "1.00 GB");
    EXPECT_EQ(memory_text(3'100'000'000), "3.10 GB");
}

}  // namespace
}  // namespace recon
