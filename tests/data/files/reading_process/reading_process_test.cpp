#include "data/files/reading_process/reading_process.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>
#include <vector>

#include "core/base/cancel.hpp"
#include "core/base/error.hpp"
#include "tests/support/error_matchers.hpp"
#include "tests/support/faults/preloading.hpp"
#include "tests/support/temporary_folder.hpp"

namespace recon {
namespace {

using test::expect_error;

constexpr ReadingLimits few{.memory_bytes = std::size_t{256} << 20, .processor_s = 1, .wall_s = 2};

/// Has the other process do it, with a number that it may take.
ReadingProcess::Answer ask(ReadingProcess::Work work, int number = 0, int descriptor = -1,
                           const ReadingLimits& limits = few) {
    MessageWriter request;
    request.put(number);
    return ReadingProcess::current()->ask("a.h5", work, std::move(request), descriptor, limits);
}

void twice(MessageReader& request, int, MessageWriter& answer) { answer.put(2 * request.take<int>()); }

TEST(ReadingProcessTest, AnswersAgainAndAgain) {
    EXPECT_EQ(ask(twice, 4).reader().take<int>(), 8);
    const auto process = ReadingProcess::current();
    EXPECT_EQ(ask(twice, 5).reader().take<int>(), 10);
    EXPECT_EQ(ReadingProcess::current(), process);
}

TEST(ReadingProcessTest, LeavesNoTraceInThisProcess) {
    static int value = 1;
    ask([](MessageReader&, int, MessageWriter&) { value = 2; });
    EXPECT_EQ(value, 1);
}

TEST(ReadingProcessTest, ListsTextsAndSharedMemoryArrive) {
    ReadingProcess::Answer answer = ask(
        [](MessageReader& request, int, MessageWriter& result) {
            const auto count = static_cast<std::size_t>(request.take<int>());
            result.put(std::vector<std::string>{"a", std::string(100'000, 'b'), ""});
            SharedBlock block(count);
            block.bytes().back() = std::byte{7};
            result.put_and_keep(std::move(block));
        },
        3'000'000);
    MessageReader reader = answer.reader();
    const auto texts = reader.take<std::vector<std::string>>();
    const auto block = reader.take<SharedBlock>();
    EXPECT_EQ(texts, (std::vector<std::string>{"a", std::string(100'000, 'b'), ""}));
    ASSERT_EQ(block.bytes().size(), 3'000'000U);
    EXPECT_EQ(block.bytes().front(), std::byte{0});
    EXPECT_EQ(block.bytes().back(), std::byte{7});
    EXPECT_NE(ftruncate(block.descriptor(), 1), 0) << "memory that becomes shorter ends who reads it";
    EXPECT_THROW(reader.take<int>(), std::length_error);
}

TEST(ReadingProcessTest, AFileIsSentAlong) {
    const test::TemporaryFolder folder;
    std::ofstream(folder / "a") << "xyz";
    const int file = open((folder / "a").c_str(), O_RDONLY | O_CLOEXEC);
    std::filesystem::remove(folder / "a");
    ReadingProcess::Answer answer = ask(
        [](MessageReader&, int descriptor, MessageWriter& result) {
            char last = 0;
            result.put(pread(descriptor, &last, 1, 2));
            result.put(last);
        },
        0, file);
    close(file);
    MessageReader reader = answer.reader();
    EXPECT_EQ(reader.take<ssize_t>(), 1);
    EXPECT_EQ(reader.take<char>(), 'z');
}

TEST(ReadingProcessTest, HasNoOtherFilesOpen) {
    const auto count = [](MessageReader&, int, MessageWriter& result) {
        int open_files = 0;
        for (int descriptor = 0; descriptor < 1000; ++descriptor) {
            open_files += fcntl(descriptor, F_GETFD) >= 0 ? 1 : 0;
        }
        result.put(open_files);
    };
    EXPECT_EQ(ask(count).reader().take<int>(), 4);  // nothing, three times, and the socket
}

TEST(ReadingProcessTest, CrashesAreRefusalsAndTheNextIsAnother) {
    for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGILL}) {
        const auto crash = [](MessageReader& request, int, MessageWriter&) { std::raise(request.take<int>()); };
        expect_error<InputError>([&] { ask(crash, signal); }, {"a.h5", "crash", "intact copy"});
        EXPECT_EQ(ask(twice, 4).reader().take<int>(), 8);
    }
    expect_error<ReadingProcessEnded>([] { ask([](MessageReader&, int, MessageWriter&) { _exit(0x55); }); },
                                      {"a.h5", "it ended the process"});
}

TEST(ReadingProcessTest, WhoIsKilledForItsMemoryIsNotCalledDamaged) {
    expect_error<DeviceError>([] { ask([](MessageReader&, int, MessageWriter&) { std::raise(SIGKILL); }); },
                              {"a.h5", "memory is short"});
}

int endless(int depth) { return depth < 0 ? 0 : depth + endless(depth + 1) % 3; }

TEST(ReadingProcessTest, TheStackMayOverflow) {
    expect_error<InputError>([] { ask([](MessageReader&, int, MessageWriter& answer) { answer.put(endless(0)); }); },
                             {"a.h5"});
}

TEST(ReadingProcessTest, LoopsAndWaitsEnd) {
    const auto loop = [](MessageReader&, int, MessageWriter&) {
        for (std::atomic<int> i = 0;; ++i) {
        }
    };
    const auto wait = [](MessageReader&, int, MessageWriter&) {
        for (;;) {
            pause();
        }
    };
    // Which limit comes first is up to how busy the machine is.
    expect_error<InputError>([&] { ask(loop); }, {"a.h5", "takes more than"});
    expect_error<InputError>([&] { ask(wait); }, {"a.h5", "more than 2 s"});
}

TEST(ReadingProcessTest, LimitsAreThoseOfEachWork) {
    const auto work_a_second = [](MessageReader&, int, MessageWriter&) {
        const std::clock_t start = std::clock();
        while (std::clock() - start < CLOCKS_PER_SEC * 6 / 10) {
        }
    };
    ReadingLimits on_a_busy_machine = few;
    on_a_busy_machine.wall_s = 60;
    for (int i = 0; i < 4; ++i) {
        EXPECT_NO_THROW(ask(work_a_second, 0, -1, on_a_busy_machine));
    }
}

TEST(ReadingProcessTest, MemoryIsLimited) {
    if (test::is_sanitized) {
        GTEST_SKIP() << "the sanitizer takes more than the limit";
    }
    expect_error<InputError>(
        [] {
            ask([](MessageReader&, int, MessageWriter& answer) {
                answer.put(std::vector<char>(std::size_t{1} << 30, 'x'));
            });
        },
        {"a.h5", "more than 256 MB"});
}

TEST(ReadingProcessTest, ErrorsArePassedOn) {
    expect_error<InputError>([] { ask([](MessageReader&, int, MessageWriter&) { throw InputError("a.h5: is odd"); }); },
                             {"a.h5: is odd"});
    expect_error<DeviceError>(
        [] { ask([](MessageReader&, int, MessageWriter&) { throw DeviceError("a.h5: no memory"); }); }, {"no memory"});
    EXPECT_EQ(ask(twice, 4).reader().take<int>(), 8);
}

TEST(ReadingProcessTest, IsNotWaitedForByWhoIsToStop) {
    CancelSource source;
    const CancelToken token(source);
    const CancelBinding bound(token);
    std::thread later([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        source.request();
    });
    const auto wait = [](MessageReader&, int, MessageWriter&) {
        for (;;) {
            pause();
        }
    };
    EXPECT_THROW(ReadingProcess::current()->ask("a.h5", wait, {}), Cancelled);
    later.join();
}

TEST(ReadingProcessTest, AForkOfThisProcessHasAnother) {
    EXPECT_EQ(ask(twice, 4).reader().take<int>(), 8);
    const pid_t child = fork();
    if (child == 0) {
        _exit(ask(twice, 3).reader().take<int>());
    }
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_EQ(WEXITSTATUS(status), 6);
    EXPECT_EQ(ask(twice, 4).reader().take<int>(), 8);
}

}  // namespace
}  // namespace recon
