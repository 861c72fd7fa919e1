// The arrows of docs/developer-guide.md: a folder includes only what lies below it.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>

#include "tests/support/paths.hpp"

namespace {

const std::map<std::string, std::set<std::string>> allowed_includes = {
    {"core", {"core"}},
    {"solver", {"solver", "core"}},
    {"data", {"data", "core"}},
    {"gpu", {"gpu", "core"}},
    {"app", {"app", "solver", "data", "gpu", "core"}},
};

TEST(Layers, NoFolderIncludesOneAboveIt) {
    const std::filesystem::path root = recon::test::source_folder();
    const std::regex include(R"re(^\s*#include\s+"([a-z]+)/)re");
    int include_count = 0;
    for (const auto& [folder, allowed] : allowed_includes) {
        for (const auto& entry : std::filesystem::recursive_directory_iterator(root / folder)) {
            const std::string extension = entry.path().extension();
            if (extension != ".hpp" && extension != ".cpp" && extension != ".cu" && extension != ".cuh") {
                continue;
            }
            std::ifstream file(entry.path());
            std::smatch match;
            for (std::string line; std::getline(file, line);) {
                if (std::regex_search(line, match, include)) {
                    ++include_count;
                    EXPECT_TRUE(allowed.contains(match[1])) << entry.path() << ": " << line;
                }
            }
        }
    }
    EXPECT_GT(include_count, 100);  // the search found the sources
}

}  // namespace
