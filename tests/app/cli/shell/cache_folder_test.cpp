#include "app/cli/shell/cache_folder.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace recon {
namespace {

TEST(DefaultCacheFolder, FollowsTheEnvironment) {
    const auto text_of = [](const char* name) { return std::string(std::getenv(name) ? std::getenv(name) : ""); };
    const std::string cache_before = text_of("XDG_CACHE_HOME");
    const std::string home_before = text_of("HOME");
    setenv("XDG_CACHE_HOME", "/a/cache", 1);
    setenv("HOME", "/a/home", 1);
    EXPECT_EQ(default_cache_folder(), "/a/cache/recon/q");
    setenv("XDG_CACHE_HOME", "relative", 1);
    EXPECT_EQ(default_cache_folder(), "/a/home/.cache/recon/q") << "relative paths are to be ignored";
    unsetenv("XDG_CACHE_HOME");
    EXPECT_EQ(default_cache_folder(), "/a/home/.cache/recon/q");
    unsetenv("HOME");
    EXPECT_EQ(default_cache_folder(), "");
    setenv("HOME", home_before.c_str(), 1);
    if (!cache_before.empty()) {
        setenv("XDG_CACHE_HOME", cache_before.c_str(), 1);
    }
}

}  // namespace
}  // namespace recon
