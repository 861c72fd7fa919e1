#include "core/base/threads/cpu_count.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "tests/support/temporary_folder.hpp"

namespace recon {
namespace {

class CpuCount : public ::testing::Test {
protected:
    void file(const std::string& path, const std::string& text) const {
        const std::filesystem::path at = std::filesystem::path(folder_.path()) / path;
        std::filesystem::create_directories(at.parent_path());
        std::ofstream(at) << text;
    }
    void second_version() const {
        file("proc/self/cgroup", "0::/job/task\n");
        file("proc/self/mountinfo", "31 23 0:26 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate\n");
        file("sys/fs/cgroup/job/task/memory.max", "max\n");
        file("sys/fs/cgroup/job/memory.max", "max\n");
    }
    int cpus(int most) const { return cpus_of_groups(most, folder_.path()); }
    test::TemporaryFolder folder_;
};

TEST_F(CpuCount, WithoutGroupsAllProcessorsCount) { EXPECT_EQ(cpus(16), 16); }

TEST_F(CpuCount, TheNarrowestGroupDecidesRoundedUp) {
    second_version();
    file("sys/fs/cgroup/job/task/cpu.max", "max 100000\n");
    EXPECT_EQ(cpus(16), 16);
    file("sys/fs/cgroup/job/task/cpu.max", "600000 100000\n");
    EXPECT_EQ(cpus(16), 6);
    EXPECT_EQ(cpus(4), 4);
    file("sys/fs/cgroup/job/cpu.max", "250000 100000\n");
    EXPECT_EQ(cpus(16), 3);
    file("sys/fs/cgroup/job/cpu.max", "1000 100000\n");
    EXPECT_EQ(cpus(16), 1);
}

TEST_F(CpuCount, FirstVersionHasFilesOfItsOwn) {
    file("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n");
    file("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
    EXPECT_EQ(cpus(16), 16);
    file("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "450000\n");
    EXPECT_EQ(cpus(16), 5);
}

}  // namespace
}  // namespace recon
