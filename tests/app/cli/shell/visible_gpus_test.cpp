#include "app/cli/shell/visible_gpus.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <string>

namespace recon {
namespace {

class VisibleGpus : public ::testing::Test {
protected:
    VisibleGpus() {
        if (const char* const names = std::getenv("CUDA_VISIBLE_DEVICES")) {
            before_ = names;
        }
    }
    ~VisibleGpus() override { set(before_); }
    static void set(const std::optional<std::string>& names) {
        if (names) {
            setenv("CUDA_VISIBLE_DEVICES", names->c_str(), 1);
        } else {
            unsetenv("CUDA_VISIBLE_DEVICES");
        }
    }
    static std::string shown(const std::optional<std::string>& names, const std::string& device) {
        set(names);
        show_no_more_gpus_than_needed(device);
        const char* const now = std::getenv("CUDA_VISIBLE_DEVICES");
        return now != nullptr ? now : "all";
    }

private:
    std::optional<std::string> before_;
};

TEST_F(VisibleGpus, AreOneWhereOneIsUsed) {
    EXPECT_EQ(shown(std::nullopt, "auto"), "0");
    EXPECT_EQ(shown("2,3", "auto"), "2");
    EXPECT_EQ(shown("GPU-149e0c08", "cuda"), "GPU-149e0c08");
    EXPECT_EQ(shown("", "cuda:0"), "") << "none are visible, and none become so";
}

TEST_F(VisibleGpus, StayWhereOthersAreAskedFor) {
    EXPECT_EQ(shown("2,3", "cuda:1"), "2,3");
    EXPECT_EQ(shown(std::nullopt, "cuda:0,1"), "all");
    EXPECT_EQ(shown(std::nullopt, "cuda:all"), "all");
    EXPECT_EQ(shown("2,3", "cpu"), "2,3");
}

}  // namespace
}  // namespace recon
