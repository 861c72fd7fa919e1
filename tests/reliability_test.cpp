// docs/reliability.md names the tests that hold each of its lines: they are there.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/paths.hpp"

namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& path) {
    std::ifstream file(path);
    return (std::ostringstream() << file.rdbuf()).str();
}

/// Every match's groups, joined by a dot.
std::vector<std::string> all_matches(const std::string& text, const std::regex& pattern) {
    std::vector<std::string> found;
    for (auto match = std::sregex_iterator(text.begin(), text.end(), pattern); match != std::sregex_iterator();
         ++match) {
        std::string groups = (*match)[1];
        for (std::size_t i = 2; i < match->size(); ++i) {
            groups += "." + (*match)[i].str();
        }
        found.push_back(groups);
    }
    return found;
}

/// "Suite.Test" of every test there is, whatever its parameters.
std::set<std::string> tests_of_the_tree() {
    const std::regex definition(R"(\bTEST(?:_F|_P)?\(\s*(\w+),\s*(\w+)\))");
    std::set<std::string> found;
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(recon::test::source_folder()) / "tests")) {
        if (entry.path().extension() == ".cpp") {
            const auto names = all_matches(text_of(entry.path()), definition);
            found.insert(names.begin(), names.end());
        }
    }
    return found;
}

/// `Suite.Test`, with * for any number of letters.
std::vector<std::string> tests_named_in(const std::string& text) {
    return all_matches(text, std::regex(R"(`([A-Z]\w*\.[A-Z*][\w*]*)`)"));
}

bool is_there(const std::string& name, const std::set<std::string>& tests) {
    const std::regex pattern(
        std::regex_replace(std::regex_replace(name, std::regex(R"(\.)"), R"(\.)"), std::regex(R"(\*)"), R"(\w*)"));
    return std::any_of(tests.begin(), tests.end(),
                       [&](const std::string& test) { return std::regex_match(test, pattern); });
}

TEST(ReliabilityPage, NamesTestsThatThereAre) {
    const std::set<std::string> tests = tests_of_the_tree();
    EXPECT_GT(tests.size(), 1000U);
    const auto named = tests_named_in(text_of(fs::path(recon::test::source_folder()) / "docs/reliability.md"));
    EXPECT_GT(named.size(), 50U);
    for (const std::string& name : named) {
        EXPECT_TRUE(is_there(name, tests)) << name;
    }
}

/// Rows of the tables whose last column is headed "test".
TEST(ReliabilityPage, NamesATestInEveryRow) {
    std::istringstream page(text_of(fs::path(recon::test::source_folder()) / "docs/reliability.md"));
    bool of_tests = false;
    int row_count = 0;
    for (std::string line; std::getline(page, line);) {
        if (!line.starts_with("|")) {
            of_tests = false;
        } else if (line.ends_with("| test |")) {
            of_tests = true;
        } else if (of_tests && !line.starts_with("|---")) {
            ++row_count;
            const std::string last = line.substr(line.rfind('|', line.size() - 2));
            EXPECT_TRUE(!tests_named_in(last).empty() || last.find("by construction") != std::string::npos) << line;
        }
    }
    EXPECT_GT(row_count, 30);
}

}  // namespace
