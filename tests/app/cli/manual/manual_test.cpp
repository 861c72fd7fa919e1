#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "app/cli/commands.hpp"
#include "app/cli/manual/completions.hpp"
#include "app/cli/manual/man_page.hpp"
#include "app/cli/manual/option_list.hpp"
#include "tests/support/file_contents.hpp"
#include "tests/support/program.hpp"

namespace recon {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

class Manual : public ::testing::Test {
protected:
    Manual() {
        add_commands(app_);
        program_ = listed_command(app_);
    }
    const ListedCommand& command(const std::string& name) const {
        for (const ListedCommand* each : flattened(program_)) {
            if (each->name == name) {
                return *each;
            }
        }
        throw std::out_of_range(name);
    }
    /// What bash offers for the last of `words`, one a line.
    std::string bash_offers(const std::string& words) const {
        std::ofstream(folder_ / "recon.bash") << bash_completion(program_);
        std::ofstream(folder_ / "try.bash") << "cd " << folder_.path() << "; . ./recon.bash; COMP_WORDS=(" << words
                                            << "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _recon; "
                                            << "printf '%s\n' \"${COMPREPLY[@]}\" > offers";
        EXPECT_EQ(std::system(("bash " + (folder_ / "try.bash")).c_str()), 0);
        return test::contents_of(folder_ / "offers");
    }
    CLI::App app_{"recon does what a test needs.", "recon"};
    ListedCommand program_;
    test::TemporaryFolder folder_;
};

TEST_F(Manual, KnowsEveryOptionOfEveryCommand) {
    const std::string bash = bash_completion(program_), zsh = zsh_completion(program_),
                      fish = fish_completion(program_);
    int count = 0;
    for (const ListedCommand* each : flattened(program_)) {
        const std::string page = man_page(*each, program_, "1.2.3");
        for (const ListedOption& option : each->options) {
            ++count;
            EXPECT_FALSE(option.help.empty()) << each->name << " " << option.names.front();
            if (option.positional) {
                continue;
            }
            const std::string name = option.names.back();
            std::string in_page = name;
            for (std::size_t at = in_page.find('-'); at != std::string::npos; at = in_page.find('-', at + 2)) {
                in_page.insert(at, "\\");
            }
            EXPECT_THAT(page, HasSubstr(in_page));
            EXPECT_THAT(bash, HasSubstr(name));
            EXPECT_THAT(zsh, HasSubstr("'*" + name + (option.value.empty() ? "[" : "=[")));
            EXPECT_THAT(fish, HasSubstr(" -l " + name.substr(2)));
        }
    }
    EXPECT_GT(count, 100);
    EXPECT_THAT(command("").options.front().names, Contains("--help"));
}

TEST_F(Manual, OptionsWithAFewValuesSayWhich) {
    for (const ListedOption& option : command("").options) {
        if (option.names.back() == "--voxel") {
            EXPECT_THAT(option.choices, ::testing::ElementsAre("point", "box"));
        }
        if (option.names.back() == "--iterations") {
            EXPECT_TRUE(option.choices.empty());
            EXPECT_FALSE(option.value.empty());
        }
    }
}

TEST_F(Manual, BashOffersCommandsOptionsValuesAndFiles) {
    std::ofstream(folder_ / "simulated.h5") << "";
    EXPECT_EQ(bash_offers("recon sim"), "simulate\nsimulated.h5\n");
    EXPECT_EQ(bash_offers("recon --scan sim"), "simulated.h5\n");
    EXPECT_EQ(bash_offers("recon --iterat"), "--iterations\n");
    EXPECT_EQ(bash_offers("recon --voxel b"), "box\n");
    EXPECT_EQ(bash_offers("recon simulate --trut"), "--truth\n");
    EXPECT_EQ(bash_offers("recon simulate --iterat"), "\n");
    EXPECT_EQ(bash_offers("recon study st"), "stone2008\n");
    EXPECT_EQ(bash_offers("recon study stone2008 --repe"), "--repeat\n");
    EXPECT_EQ(bash_offers("recon --voxel = b"), "box\n") << "as bash parts --voxel=b";
    EXPECT_EQ(bash_offers("recon manual z"), "zsh\n");
    EXPECT_EQ(bash_offers("recon --out simulate --iterat"), "--iterations\n") << "a value is no command";
    std::ofstream(folder_ / "scan of two.h5") << "";
    EXPECT_EQ(bash_offers("recon --scan sc"), "scan of two.h5\n");
    EXPECT_EQ(bash_offers("recon help sim"), "simulate\n") << "commands, and no files";
    EXPECT_EQ(bash_offers("recon help study st"), "stone2008\n");
}

TEST_F(Manual, PagesCanBeReadByMan) {
    // in small images of Ubuntu `man` is a script that says that pages were left out
    if (std::system("man --version 2> /dev/null | grep -q '^man [0-9]'") != 0) {
        GTEST_SKIP() << "no man";
    }
    const std::string page = folder_ / "page.1";
    std::ofstream(page) << man_page(command("simulate"), program_, "1.2.3");
    ASSERT_EQ(
        std::system(("MANWIDTH=100 man --warnings -l " + page + " > " + page + ".txt 2> " + page + ".err").c_str()), 0);
    EXPECT_EQ(std::filesystem::file_size(page + ".err"), 0);
    const std::string shown = test::contents_of(page + ".txt");
    EXPECT_THAT(shown, HasSubstr("recon 1.2.3"));
    EXPECT_THAT(shown, HasSubstr("--undersampling"));
}

TEST(ManualCommand, PrintsAndWritesAll) {
    const test::TemporaryFolder folder;
    EXPECT_THAT(test::run_recon("manual man simulate").output, HasSubstr(".TH \"RECON\\-SIMULATE\" 1"));
    EXPECT_EQ(test::run_recon("manual man nonsense").exit_code, 2);
    EXPECT_EQ(test::run_recon("manual tcsh").exit_code, 2);
    ASSERT_EQ(test::run_recon("manual --into " + (folder / "m")).exit_code, 0);
    for (const char* name : {"recon.1", "recon-study-stone2008.1", "recon.bash", "_recon", "recon.fish"}) {
        EXPECT_TRUE(std::filesystem::exists(folder / (std::string("m/") + name))) << name;
    }
    const std::string help = test::run_recon("--help").output;
    const std::size_t at = help.find("Guide: ");
    ASSERT_NE(at, std::string::npos);
    EXPECT_TRUE(std::filesystem::exists(help.substr(at + 7, help.find('\n', at) - at - 7))) << help.substr(at);
}

TEST_F(Manual, SaysWhereItCannotWrite) {
    std::ofstream(folder_ / "file") << "in the way";
    const test::ProgramRun run = test::run_recon("manual --into " + (folder_ / "file/below"));
    EXPECT_EQ(run.exit_code, 3);
    EXPECT_THAT(run.output, HasSubstr("manual: cannot make the folder " + (folder_ / "file/below")));
}

}  // namespace
}  // namespace recon
