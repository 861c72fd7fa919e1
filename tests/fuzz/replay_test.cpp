// What fuzzing found once, the seeds, and a fixed number of mutations of them, in every build: by libFuzzer itself
// ./bootstrap fuzz goes on from here.
#include <gtest/gtest.h>

#include <filesystem>
#include <random>

#include "tests/fuzz/fuzz_target.hpp"
#include "tests/support/file_contents.hpp"
#include "tests/support/paths.hpp"

namespace recon::test {
namespace {

namespace fs = std::filesystem;

Bytes bytes_of_text(const std::string& text) { return std::as_bytes(std::span(text)); }

class Fuzz : public ::testing::TestWithParam<std::string> {
protected:
    const FuzzTarget& target() const { return fuzz_target(GetParam()); }
    bool is_hdf5() const { return GetParam() == "scan_hdf5" || GetParam() == "scan_mrd"; }
};

/// Changed bytes, and pieces that are left out, doubled or exchanged.
std::string mutated(std::string text, std::mt19937& random) {
    const auto below = [&](std::size_t limit) {
        return std::uniform_int_distribution<std::size_t>(0, limit - 1)(random);
    };
    const std::size_t changes = 1 + below(4);
    for (std::size_t i = 0; i < changes && !text.empty(); ++i) {
        const std::size_t at = below(text.size()), length = 1 + below(std::min<std::size_t>(text.size() - at, 16));
        constexpr std::array<char, 6> telling{'\0', '\xff', '\x7f', '-', '9', '\x80'};
        switch (below(6)) {
            case 0: text[at] = telling[below(telling.size())]; break;
            case 1: text[at] = static_cast<char>(below(256)); break;
            case 2: text[at] = static_cast<char>(text[at] ^ (1 << below(8))); break;
            case 3: text.erase(at, length); break;
            case 4: text.insert(at, text.substr(at, length)); break;
            default: text.resize(at + 1); break;
        }
    }
    return text;
}

TEST_P(Fuzz, SeedsAndTheirMutationsAreSurvived) {
    const std::vector<std::string> seeds = target().seeds();
    ASSERT_FALSE(seeds.empty());
    const int rounds =
        is_hdf5() ? 150 : 2000;  // more would meet what the library does wrong, under sanitizers a finding
    std::mt19937 random(7);
    for (const std::string& seed : seeds) {
        EXPECT_NO_FATAL_FAILURE(require_survival(target(), bytes_of_text(seed)));
        for (int round = 0; round < rounds / static_cast<int>(seeds.size()); ++round) {
            require_survival(target(), bytes_of_text(mutated(seed, random)));
        }
    }
}

TEST_P(Fuzz, WhatWasFoundOnceIsSurvived) {
    const fs::path found = fs::path(source_folder()) / "tests/fuzz/regressions" / GetParam();
    if (!fs::is_directory(found)) {
        GTEST_SKIP() << "nothing was found in " << GetParam();
    }
    for (const auto& entry : fs::directory_iterator(found)) {
        SCOPED_TRACE(entry.path());
        const std::string bytes = test::contents_of(entry.path());
        require_survival(target(), bytes_of_text(bytes));
    }
}

std::vector<std::string> target_names() {
    std::vector<std::string> names;
    for (const FuzzTarget& target : fuzz_targets()) {
        names.push_back(target.name);
    }
    return names;
}

INSTANTIATE_TEST_SUITE_P(Targets, Fuzz, ::testing::ValuesIn(target_names()),
                         [](const auto& target) { return target.param; });

}  // namespace
}  // namespace recon::test
