// The command line belongs to app/cli alone: elsewhere settings have names, and nothing reads the environment.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <string>

#include "tests/support/paths.hpp"

namespace {

namespace fs = std::filesystem;

/// Files that may name options, and why.
const std::map<std::string, std::string> may_name_options = {
    {"app/package/wheel/lower_glibc.py", "starts patchelf"},
    {"app/studies/bench/cold_start_bench.cpp", "starts the program itself"},
};

TEST(CommandLine, IsKnownToItsFolderAlone) {
    const std::regex option(R"re("([^"]*[^-\w"])?--[a-z])re");
    const fs::path root = recon::test::source_folder();
    int file_count = 0;
    for (const char* folder : {"app", "core", "data", "gpu", "solver"}) {
        for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
            const std::string path = entry.path().lexically_relative(root);
            if (!entry.is_regular_file() || path.starts_with("app/cli/") || path.starts_with("app/python/build/") ||
                path.ends_with("CMakeLists.txt")) {
                continue;
            }
            ++file_count;
            std::ifstream file(entry.path());
            for (std::string line; std::getline(file, line);) {
                EXPECT_TRUE(may_name_options.contains(path) || !std::regex_search(line, option))
                    << path << ": a setting is `named` in backticks, of which app/cli makes an option: " << line;
                for (const char* of_the_shell : {"getenv", "<CLI/"}) {
                    EXPECT_EQ(line.find(of_the_shell), std::string::npos) << path << ": belongs to app/cli: " << line;
                }
            }
        }
    }
    EXPECT_GT(file_count, 100);
}

}  // namespace
