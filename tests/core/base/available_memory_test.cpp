#include "core/base/available_memory.hpp"

#include <gmock/gmock.h>
#include <sys/resource.h>
#include <unistd.h>

#include <fstream>
#include <limits>

#include "tests/support/temporary_folder.hpp"

namespace recon {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();
constexpr std::size_t megabyte = 1'000'000;

/// The files of a machine, as far as they say what a process may take.
class FakeMachine {
public:
    FakeMachine& file(const std::string& path, const std::string& text) {
        const std::filesystem::path at = std::filesystem::path(folder_.path()) / path;
        std::filesystem::create_directories(at.parent_path());
        std::ofstream(at) << text;
        return *this;
    }
    std::filesystem::path path(const std::string& path = "") const {
        return path.empty() ? std::filesystem::path(folder_.path()) : std::filesystem::path(folder_ / path);
    }
    AvailableMemory available() const { return MemoryGroups(path()).available(); }

    /// Version 2, this process in the group /job/task.
    static void second_version(FakeMachine& machine) {
        machine.file("proc/self/cgroup", "0::/job/task\n")
            .file("proc/self/mountinfo",
                  "22 1 0:20 / /proc rw - proc proc rw\n"
                  "31 23 0:26 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate\n");
    }
    /// Version 1, the hierarchies beside each other.
    static void first_version(FakeMachine& machine) {
        machine.file("proc/self/cgroup", "9:name=systemd:/\n4:memory:/docker/1f\n0::/\n")
            .file("proc/self/mountinfo",
                  "32 31 0:29 / /sys/fs/cgroup/cpu rw,relatime - cgroup cgroup rw,cpu\n"
                  "35 31 0:32 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory\n"
                  "41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw\n");
    }

private:
    test::TemporaryFolder folder_;
};

TEST(MemoryGroups, WithoutAnyNothingIsLimited) {
    const FakeMachine machine;
    EXPECT_TRUE(MemoryGroups(machine.path()).folders().empty());
    EXPECT_EQ(machine.available().bytes, unlimited);
}

TEST(MemoryGroups, AreTheOwnOneAndItsParents) {
    FakeMachine machine;
    FakeMachine::second_version(machine);
    EXPECT_THAT(MemoryGroups(machine.path()).folders(),
                ElementsAre(machine.path("sys/fs/cgroup/job/task"), machine.path("sys/fs/cgroup/job"),
                            machine.path("sys/fs/cgroup")));
}

TEST(MemoryGroups, LimitLessUseIsLeft) {
    FakeMachine machine;
    FakeMachine::second_version(machine);
    machine.file("sys/fs/cgroup/job/task/memory.current", "60000000\n")
        .file("sys/fs/cgroup/job/task/memory.max", "250000000\n")
        .file("sys/fs/cgroup/job/task/memory.high", "max\n");
    EXPECT_EQ(machine.available().bytes, 190 * megabyte);
    EXPECT_THAT(machine.available().limited_by, HasSubstr("job/task, memory.max"));
}

TEST(MemoryGroups, FilesInThePageCacheCountAsFree) {
    FakeMachine machine;
    FakeMachine::second_version(machine);
    machine.file("sys/fs/cgroup/job/task/memory.current", "200000000\n")
        .file("sys/fs/cgroup/job/task/memory.stat", "anon 60000000\ninactive_file 90000000\nactive_file 50000000\n")
        .file("sys/fs/cgroup/job/task/memory.max", "250000000\n");
    EXPECT_EQ(machine.available().bytes, 190 * megabyte);
}

TEST(MemoryGroups, ThrottlingIsALimitToo) {
    FakeMachine machine;
    FakeMachine::second_version(machine);
    machine.file("sys/fs/cgroup/job/task/memory.current", "60000000\n")
        .file("sys/fs/cgroup/job/task/memory.max", "250000000\n")
        .file("sys/fs/cgroup/job/task/memory.high", "100000000\n");
    EXPECT_EQ(machine.available().bytes, 40 * megabyte);
    EXPECT_THAT(machine.available().limited_by, HasSubstr("memory.high"));
}

TEST(MemoryGroups, TheNarrowestParentDecides) {
    FakeMachine machine;
    FakeMachine::second_version(machine);
    machine.file("sys/fs/cgroup/job/task/memory.current", "60000000\n")
        .file("sys/fs/cgroup/job/task/memory.max", "250000000\n")
        .file("sys/fs/cgroup/job/memory.current", "480000000\n")  // others are in it as well
        .file("sys/fs/cgroup/job/memory.max", "500000000\n");
    EXPECT_EQ(machine.available().bytes, 20 * megabyte);
    EXPECT_THAT(machine.available().limited_by, HasSubstr("cgroup/job, memory.max"));
}

TEST(MemoryGroups, WhoHasMoreThanTheLimitHasNothingLeft) {
    FakeMachine machine;
    FakeMachine::second_version(machine);
    machine.file("sys/fs/cgroup/job/memory.current", "480000000\n").file("sys/fs/cgroup/job/memory.max", "100000000\n");
    EXPECT_EQ(machine.available().bytes, 0U);
}

TEST(MemoryGroups, OfTheFirstVersion) {
    FakeMachine machine;
    FakeMachine::first_version(machine);
    machine.file("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n")
        .file("sys/fs/cgroup/memory/memory.usage_in_bytes", "7000000000\n")
        .file("sys/fs/cgroup/memory/docker/1f/memory.limit_in_bytes", "250000000\n")
        .file("sys/fs/cgroup/memory/docker/1f/memory.usage_in_bytes", "200000000\n")
        .file("sys/fs/cgroup/memory/docker/1f/memory.stat",
              "inactive_file 1000000\ntotal_inactive_file 90000000\ntotal_active_file 50000000\n");
    EXPECT_EQ(machine.available().bytes, 190 * megabyte);
    EXPECT_THAT(machine.available().limited_by, HasSubstr("docker/1f, memory.limit_in_bytes"));
}

TEST(MemoryGroups, WithinAContainerTheGroupIsWhatIsMounted) {
    FakeMachine machine;
    machine.file("proc/self/cgroup", "4:memory:/docker/1f\n")
        .file("proc/self/mountinfo",
              "35 31 0:32 /docker/1f /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory,hugetlb\n")
        .file("sys/fs/cgroup/memory/memory.limit_in_bytes", "250000000\n")
        .file("sys/fs/cgroup/memory/memory.usage_in_bytes", "60000000\n");
    EXPECT_THAT(MemoryGroups(machine.path()).folders(), ElementsAre(machine.path("sys/fs/cgroup/memory")));
    EXPECT_EQ(machine.available().bytes, 190 * megabyte);
}

TEST(AvailableMemory, AddressSpaceIsALimit) {
    constexpr std::size_t room = 64 * megabyte;
    std::ifstream statm("/proc/self/statm");
    std::size_t size_pages = 0;
    statm >> size_pages;
    rlimit before{};
    ASSERT_EQ(getrlimit(RLIMIT_AS, &before), 0);
    rlimit narrow = before;
    narrow.rlim_cur = size_pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) + room;
    ASSERT_EQ(setrlimit(RLIMIT_AS, &narrow), 0);
    const AvailableMemory available = available_memory();
    ASSERT_EQ(setrlimit(RLIMIT_AS, &before), 0);
    EXPECT_LE(available.bytes, room);
    EXPECT_EQ(available.limited_by, "ulimit -v");
}

}  // namespace
}  // namespace recon
