// Every option of every command that takes a text, as the parser lists them, is given nonsense: it is refused, and
// nothing else happens. (Those that take numbers: tests/app/cli/number_options_test.cpp.)
#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <map>
#include <set>

#include "app/cli/commands.hpp"
#include "data/reading/format.hpp"
#include "tests/support/program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace recon {
namespace {

/// Names of outputs and of what is in files, which may be anything.
const std::set<std::string> any_text_will_do{
    "--out",   "--json",  "--png",        "--lambda-png", "--uncertainty-png", "--html",       "--report", "--into",
    "--truth", "--movie", "--checkpoint", "--cache",      "--reference-image", "--write-input"};

class TextOptions : public ::testing::Test {
protected:
    TextOptions() : app_("", "recon") { add_commands(app_); }
    void SetUp() override {
        const auto run = test::run_recon("simulate --matrix 8 8 --coils 2 --out " + scan_ + " --truth " + truth_);
        ASSERT_EQ(run.exit_code, 0) << run.output;
    }

    /// A short command that an option can be added to.
    std::string plain(const std::string& command) const {
        const std::string quick = " --device cpu --quiet --no-cache --iterations 1 --out ";
        const std::map<std::string, std::string> commands{
            {"recon", "--scan " + scan_ + quick + out_},
            {"simulate", "simulate --matrix 8 8 --coils 1 --out " + out_},
            {"info", "info " + scan_},
            {"check", "check " + scan_},
            {"compare", "compare " + truth_ + " " + truth_},
            {"report", "report " + out_},
            {"merge", "merge " + truth_ + " --out " + out_},
            {"q", "q " + truth_ + " --out " + out_},
            {"fhd", "fhd " + truth_ + " --out " + out_},
            {"heart", "heart --device cpu --size 16 --time 1 --out " + out_},
            {"ladder", "ladder --size 8 --device cpu --time-limit 0.1"},
            {"study", "study stone2008 --size 16"},
            {"bench", "bench --list"},
            {"manual", "manual bash"},
            {"help", "help"}};
        const auto found = commands.find(command);
        return found == commands.end() ? "" : found->second;
    }
    static bool takes_text(const CLI::Option& option) {
        return option.get_type_name().starts_with("TEXT") && option.get_items_expected_max() > 0 &&
               !option.get_positional() && !any_text_will_do.contains(option.get_name());
    }
    /// Another file with the image, by the name of its format.
    static bool writes_a_format(const CLI::Option& option) {
        const std::string name = option.get_name().substr(2);
        return formats().find(name) != nullptr && formats().get(name).write_image != nullptr;
    }

    CLI::App app_;
    test::TemporaryFolder folder_;
    const std::string scan_ = folder_ / "scan.h5", truth_ = folder_ / "truth.h5", out_ = folder_ / "out.h5";
};

TEST_F(TextOptions, RefuseNonsenseWithALine) {
    std::vector<const CLI::App*> commands{&app_};
    for (const CLI::App* inner : app_.get_subcommands([](const CLI::App*) { return true; })) {
        commands.push_back(inner);
    }
    int tried = 0;
    for (const CLI::App* command : commands) {
        const std::string plain_command = plain(command->get_name());
        ASSERT_FALSE(plain_command.empty()) << "say how to run " << command->get_name();
        for (const CLI::Option* option : command->get_options()) {
            if (!takes_text(*option) || (command == &app_ && writes_a_format(*option))) {
                continue;
            }
            for (const std::string value : {"nan", "-1e300"}) {
                const std::string line = plain_command + " " + option->get_name() + "=" + value;
                const auto run = test::run_recon(line, "timeout 60 env");
                EXPECT_TRUE(run.exit_code == 2 || run.exit_code == 3) << line << "\n" << run.exit_code << run.output;
                EXPECT_NE(run.output.find("recon: error: "), std::string::npos) << line << "\n" << run.output;
                ++tried;
            }
        }
    }
    EXPECT_GT(tried, 60);
}

}  // namespace
}  // namespace recon
