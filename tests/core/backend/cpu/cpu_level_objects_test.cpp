// What a processor without AVX runs must hold no AVX: not in the objects of all, nor taken by the linker or the start
// of the program from those of a level (docs/decisions/0014-one-binary.md).
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "tests/support/paths.hpp"

namespace recon {
namespace {

bool is_level(const std::string& member) { return member == "cpu_v3.o" || member == "cpu_v4.o"; }

/// Runs a program of the binutils on recon_core and shows every line with the member of the archive that it is about.
/// @return number of lines
int for_each_line(const std::string& program, const std::function<void(const std::string&, const std::string&)>& see) {
    const std::string command = program + " " + test::core_library() + " 2>/dev/null";
    const std::unique_ptr<FILE, int (*)(FILE*)> listing(popen(command.c_str(), "r"), &pclose);
    std::array<char, 1 << 16> buffer{};
    std::string member;
    int line_count = 0;
    while (listing && fgets(buffer.data(), buffer.size(), listing.get()) != nullptr) {
        std::string line = buffer.data();
        line.erase(line.find_last_not_of('\n') + 1);
        ++line_count;
        const auto end = line.find(".o:");
        if (end != std::string::npos && line.find(' ') > end) {
            member = line.substr(0, end + 2);
        } else {
            see(member, line);
        }
    }
    return line_count;
}

/// Of AVX and what came after it, on registers of any width: alone these instructions have names that begin with v, but
/// for two that ask about segments.
bool is_of_avx(const std::string& line) {
    const auto name = line.find('\t') + 1;
    return name > 0 && line.compare(name, 1, "v") == 0 && line.compare(name, 4, "verr") != 0 &&
           line.compare(name, 4, "verw") != 0;
}

class CpuLevelObjects : public ::testing::Test {
protected:
    void SetUp() override {
        if (!test::has_cpu_levels()) {
            GTEST_SKIP() << "compiled for one kind of processor (RECON_CPU_ARCH)";
        }
    }
};

TEST_F(CpuLevelObjects, UseTheirRegistersAndInstructionsAlone) {
    int level_lines = 0;
    const int lines = for_each_line("objdump -d --no-show-raw-insn", [&](const auto& member, const auto& line) {
        const bool wide = line.find("%zmm") != std::string::npos;
        if (wide || line.find("%ymm") != std::string::npos || is_of_avx(line)) {
            level_lines += is_level(member) ? 1 : 0;
            EXPECT_TRUE(wide ? member == "cpu_v4.o" : is_level(member)) << member << " holds: " << line;
        }
    });
    if (lines == 0) {
        GTEST_SKIP() << "there is no objdump";
    }
    EXPECT_GT(level_lines, 1000);
}

TEST_F(CpuLevelObjects, GiveNothingToOthersButTheSameFunctionsInTheirNamespace) {
    std::map<std::string, std::set<std::string>> names;  // of each level, without its namespace
    const int lines = for_each_line("nm --defined-only --extern-only", [&](const auto& member, const auto& line) {
        if (line.empty()) {
            return;
        }
        const std::string level = is_level(member) ? member.substr(0, member.find('.')) : "cpu_base";
        const std::string prefix = " _ZN5recon" + std::to_string(level.size()) + level;
        const auto found = line.find(prefix);
        if (found != std::string::npos) {
            names[level].insert(line.substr(found + prefix.size()));
        } else {
            EXPECT_FALSE(is_level(member)) << member << " gives: " << line;
        }
    });
    if (lines == 0) {
        GTEST_SKIP() << "there is no nm";
    }
    EXPECT_GE(names["cpu_base"].size(), 5U);
    EXPECT_EQ(names["cpu_v3"], names["cpu_base"]);
    EXPECT_EQ(names["cpu_v4"], names["cpu_base"]);
}

TEST_F(CpuLevelObjects, DoNothingAtTheStartOfTheProgram) {
    int sections = 0;
    const int lines = for_each_line("objdump -h", [&](const auto& member, const auto& line) {
        if (is_level(member)) {
            ++sections;
            EXPECT_EQ(line.find(" .init_array"), std::string::npos) << member << " has: " << line;
            EXPECT_EQ(line.find(" .ctors"), std::string::npos) << member << " has: " << line;
        }
    });
    if (lines == 0) {
        GTEST_SKIP() << "there is no objdump";
    }
    EXPECT_GT(sections, 10);
}

}  // namespace
}  // namespace recon
