#include "data/files/rehearsal/rehearsal.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <numeric>
#include <vector>

#include "core/base/error.hpp"
#include "data/files/rehearsal/rehearsed_list.hpp"
#include "tests/support/error_matchers.hpp"
#include "tests/support/faults/preloading.hpp"

namespace recon {
namespace {

using test::expect_error;

void rehearse_here(const std::function<void()>& work) {
    rehearse("a.h5", work, {.memory_bytes = std::size_t{256} << 20, .processor_s = 1, .wall_s = 2});
}

TEST(Rehearsal, WhatGoesWellLeavesNoTrace) {
    int value = 1;
    EXPECT_NO_THROW(rehearse_here([&] { value = 2; }));
    EXPECT_EQ(value, 1);
}

TEST(Rehearsal, AListIsFilledThereAloneUnlessNothingIsRehearsed) {
    int filled_here = 0;
    const auto fill = [&](std::span<int> list) {
        ++filled_here;
        std::iota(list.begin(), list.end(), 5);
    };
    const std::vector<int> expected{5, 6, 7};
    EXPECT_EQ(rehearsed_list<int>("a.h5", 3, fill), expected);
    EXPECT_EQ(filled_here, 0);
    const WithoutRehearsal in_this_process;
    EXPECT_EQ(rehearsed_list<int>("a.h5", 3, fill), expected);
    EXPECT_EQ(filled_here, 1);
}

TEST(Rehearsal, CrashesAreRefusals) {
    for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGILL}) {
        expect_error<InputError>([&] { rehearse_here([&] { std::raise(signal); }); }, {"a.h5", "crash", "intact copy"});
    }
    expect_error<EndedInRehearsal>([] { rehearse_here([] { _exit(0x55); }); }, {"a.h5", "it ended the process"});
}

TEST(Rehearsal, TheStackMayOverflow) {
    const std::function<int(int)> endless = [&](int depth) { return depth + endless(depth + 1); };
    expect_error<InputError>([&] { rehearse_here([&] { endless(0); }); }, {"a.h5"});
}

TEST(Rehearsal, LoopsAndWaitsEnd) {
    const auto loop = [] {
        for (std::atomic<int> i = 0;; ++i) {
        }
    };
    const auto wait = [] {
        for (;;) {
            pause();
        }
    };
    // Which limit comes first is up to how busy the machine is.
    expect_error<InputError>([&] { rehearse_here(loop); }, {"a.h5", "takes more than"});
    expect_error<InputError>([&] { rehearse_here(wait); }, {"a.h5", "more than 2 s"});
}

TEST(Rehearsal, MemoryIsLimited) {
    if (test::is_sanitized) {
        GTEST_SKIP() << "the sanitizer takes more than the limit";
    }
    expect_error<InputError>([] { rehearse_here([] { std::vector<char> block(std::size_t{1} << 30, 'x'); }); },
                             {"a.h5", "more than 256 MB"});
}

TEST(Rehearsal, ErrorsArePassedOn) {
    expect_error<InputError>([] { rehearse_here([] { throw InputError("a.h5: is odd"); }); }, {"a.h5: is odd"});
    expect_error<DeviceError>([] { rehearse_here([] { throw DeviceError("a.h5: no memory"); }); }, {"no memory"});
}

/// As in a rehearsal itself: no process of a process.
TEST(Rehearsal, NothingIsRehearsedWithinOne) {
    EXPECT_NO_THROW(rehearse_here([] {
        bool ran = false;
        rehearse_here([&] { ran = true; });
        if (ran) {
            throw InputError("twice");
        }
    }));
    const WithoutRehearsal none;
    EXPECT_NO_THROW(rehearse_here([] { std::abort(); }));
}

}  // namespace
}  // namespace recon
