#include "app/cli/manual/help_text.hpp"

#include <gmock/gmock.h>

#include <sstream>

#include "app/cli/commands.hpp"
#include "tests/support/program.hpp"

namespace recon {
namespace {

using ::testing::HasSubstr;

class HelpText : public ::testing::Test {
protected:
    HelpText() {
        add_commands(app_);
        program_ = listed_command(app_);
    }
    CLI::App app_{"recon does what a test needs.\n\n  recon example", "recon"};
    ListedCommand program_;
};

TEST_F(HelpText, FitsIntoTheWidthAndHasEveryOption) {
    for (const std::size_t width : {60, 80, 100}) {
        for (const ListedCommand* command : flattened(program_)) {
            const std::string text = help_text(*command, width);
            std::istringstream lines(text);
            for (std::string line; std::getline(lines, line);) {
                const bool is_example =
                    line.starts_with("  recon ") || line.starts_with("  mpirun ") || line.starts_with("  source ");
                const bool is_one_word = line.find(' ', line.find_first_not_of(' ')) == std::string::npos;
                const bool is_name = line.starts_with("  -");
                EXPECT_TRUE(line.size() <= width || is_example || is_one_word || is_name) << width << ": " << line;
            }
            for (const ListedOption& option : command->options) {
                EXPECT_THAT(text, HasSubstr(option.names.back()));
            }
        }
    }
}

TEST_F(HelpText, NamesCommandsFirstAndOptionsOfEveryDayNext) {
    const std::string text = help_text(program_, 2000);
    const auto has = [&](const char* part) { return text.find(part) != std::string::npos; };
    EXPECT_LT(text.find("\n  simulate    Simulate a scan of a phantom"), text.find("--scan TEXT"));
    EXPECT_LT(text.find("--prior TEXT"), text.find("--bart TEXT"));
    EXPECT_TRUE(has("(default: 60s; with --checkpoint)"));
    EXPECT_TRUE(has("not with --coil-energy)"));
    EXPECT_FALSE(has("{false}"));
}

TEST_F(HelpText, ListsHang) {
    const std::string text = help_text(command_named("simulate", program_), 60);
    EXPECT_THAT(text,
                HasSubstr("\n        golden-radial: 2-D lines through the centre, each\n          111.25 degrees"));
}

TEST(HelpCommand, PrintsWhatHelpOfTheCommandDoes) {
    EXPECT_EQ(test::run_recon("help").output, test::run_recon("--help").output);
    const test::ProgramRun trio = test::run_recon("help study trio");
    EXPECT_EQ(trio.exit_code, 0);
    EXPECT_THAT(trio.output, HasSubstr("Usage: recon study trio [OPTIONS]"));
    EXPECT_EQ(trio.output, test::run_recon("study trio --help").output);
    const test::ProgramRun unknown = test::run_recon("help simulat");
    EXPECT_EQ(unknown.exit_code, 2);
    EXPECT_THAT(unknown.output, HasSubstr("unknown command 'simulat'; did you mean 'simulate'?"));
}

}  // namespace
}  // namespace recon
