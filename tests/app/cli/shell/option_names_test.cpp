#include "app/cli/shell/option_names.hpp"

#include <gtest/gtest.h>

#include "app/cli/compare_command.hpp"
#include "app/cli/reconstruct_command.hpp"

namespace recon {
namespace {

TEST(OptionNames, SettingsInBackticksBecomeOptions) {
    const std::set<std::string> options{"coil-maps", "matrix"};
    EXPECT_EQ(with_options("give `coil_maps` FILE or a smaller `matrix`", options),
              "give --coil-maps FILE or a smaller --matrix");
    EXPECT_EQ(with_options("`matrix`", options), "--matrix");
    EXPECT_EQ(with_options("", options), "");
}

TEST(OptionNames, WhatIsNoOptionStays) {
    const std::set<std::string> options{"matrix"};
    EXPECT_EQ(with_options("no file `a`, give `matrix`", options), "no file `a`, give --matrix");
    EXPECT_EQ(with_options("odd ` and `matrix`", options), "odd ` and --matrix");
    EXPECT_EQ(with_options("one ` alone", options), "one ` alone");
}

TEST(OptionNames, AreThoseOfAllCommands) {
    CLI::App app("recon");
    add_reconstruct_command(app);
    add_compare_command(app);
    const std::set<std::string> options = option_names(app);
    EXPECT_TRUE(options.contains("coil-maps"));
    EXPECT_TRUE(options.contains("dataset"));
}

}  // namespace
}  // namespace recon
