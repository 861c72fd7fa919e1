// What --print-config writes, --config reads as the same options: every one of them, with every name that it may have.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "app/cli/reconstruct_command_line.hpp"
#include "app/cli/shell/named_choice.hpp"
#include "app/cli/shell/options_in_force.hpp"
#include "tests/support/error_matchers.hpp"
#include "tests/support/temporary_folder.hpp"

namespace recon {
namespace {

/// One command line, in all its forms.
class ParsedLine {
public:
    explicit ParsedLine(std::vector<std::string> words) {
        add_reconstruct_options(app_, line_);
        std::reverse(words.begin(), words.end());  // as CLI11 takes them
        app_.parse(words);
    }
    CLI::App& app() { return app_; }
    const ReconstructCommandLine& line() const { return line_; }
    RunRecord options() { return options_in_force(app_); }
    std::string config() { return config_text(app_); }

private:
    ReconstructCommandLine line_;
    CLI::App app_;
};

class ConfigFile : public ::testing::Test {
protected:
    ConfigFile() { std::ofstream(existing_) << "a file"; }

    ParsedLine read_back(const std::string& config) {
        const std::string path = folder_ / "recon.toml";
        std::ofstream(path) << config;
        return ParsedLine({"--config", path});
    }

    /// Values of which an option takes one at least.
    std::vector<std::string> values_for(CLI::Option& option) const {
        const std::vector<std::string> names = choices_of(option);
        return names.empty() ? std::vector<std::string>{existing_, "3", "0.5", "2G", "none", "auto", "30s", "1,2,3"}
                             : names;
    }

    test::TemporaryFolder folder_;
    std::string existing_ = folder_ / "a file.h5";
};

TEST_F(ConfigFile, IsNotPrintedOfTextsThatItCannotHold) {
    for (const std::string name : {"s#1.h5", "two\nlines.h5"}) {
        const std::string path = folder_ / name;
        std::ofstream(path) << "a file";
        expect_error<UsageError>([&] { ParsedLine({path}).config(); }, {"--print-config: file", "cannot be in a file"});
    }
}

TEST_F(ConfigFile, LeavesAScanThatTheCommandLineNames) {
    const std::string path = folder_ / "recon.toml", other = folder_ / "other.h5";
    std::ofstream(path) << "scan = \"" << existing_ << "\"\niterations = 3\n";
    std::ofstream(other) << "another";
    ParsedLine alone({other, "--config", path}), named({"--scan", other, "--config", path}),
        neither({"--config", path});
    EXPECT_EQ(alone.line().beside, other);
    EXPECT_EQ(alone.line().scan_path, "");
    EXPECT_EQ(alone.options()["iterations"], 3);
    EXPECT_EQ(named.line().scan_path, other);
    EXPECT_EQ(neither.line().scan_path, existing_);
    std::ofstream(path) << ParsedLine({existing_}).config();  // as --print-config writes it
    EXPECT_EQ(ParsedLine({"--scan", other, "--config", path}).line().beside, "");
    EXPECT_EQ(ParsedLine({"--config", path}).line().beside, existing_);
}

TEST_F(ConfigFile, SetsEachNameOnce) {
    expect_error<UsageError>([&] { read_back("matrix = 16\n# another line\nmatrix = 24\n"); },
                             {"--config: matrix is set twice, expected once"});
    EXPECT_EQ(read_back("matrix = [16, 24]\niterations = 3\n").config(), "matrix = [16, 24]\niterations = 3\n");
}

TEST_F(ConfigFile, HasListsAndTextsThatEnd) {
    for (const std::string list : {"matrix = [16, 24\n", "iterations = 3\nmatrix = [16,\n24"}) {
        expect_error<UsageError>([&] { read_back(list); }, {"--config: the list of matrix has no end, expected ]"});
    }
    for (const std::string text : {"out = \"image.h5\n", "out = 'image#2.h5'\n", "out = '\n"}) {
        expect_error<UsageError>([&] { read_back(text); }, {"--config: the text of out has no end"});
    }
    expect_error<UsageError>([&] { read_back("matrix = \"16x\"\n"); }, {"--matrix 16x: expected a number on"});
    EXPECT_EQ(read_back("\xEF\xBB\xBFmatrix = [16, # along x\n 24]\nout = 'a.h5' # an image\n").config(),
              "out = \"a.h5\"\nmatrix = [16, 24]\n")
        << "a byte order mark, and a list over two lines";
    EXPECT_EQ(read_back("out = \"2x\"\n").config(), "out = \"2x\"\n") << "no size";
}

TEST_F(ConfigFile, FlagsMayBeGivenAsFalse) {
    ParsedLine given({"--baseline=false", "--no-check=false", "--no-cache", "--quiet"});
    const RunRecord options = given.options();
    EXPECT_FALSE(options["baseline"].get<bool>());
    EXPECT_FALSE(options["no-check"].get<bool>());
    EXPECT_TRUE(options["no-cache"].get<bool>());
    EXPECT_TRUE(options["quiet"].get<bool>());
    EXPECT_EQ(command_text(given.app()).find("--baseline"), std::string::npos);
    EXPECT_EQ(command_text(given.app()).find("--no-check"), std::string::npos);
    ParsedLine again = read_back(given.config());
    EXPECT_EQ(again.options(), options);
    EXPECT_TRUE(again.line().trust.check);
    EXPECT_FALSE(again.line().reconstruct.baseline);
}

TEST_F(ConfigFile, HoldsEveryOptionAsItWasGiven) {
    ParsedLine nothing({});
    EXPECT_EQ(nothing.config(), "");
    int tried = 0;
    for (CLI::Option* option : nothing.app().get_options()) {
        const std::string name = option->get_single_name();
        if (!option->get_configurable() || option->get_positional()) {
            continue;
        }
        const bool is_flag = option->get_items_expected_max() == 0;
        std::vector<std::string> before;
        if (!option->get_needs().empty()) {
            before = {"--" + (*option->get_needs().begin())->get_single_name(), existing_};
        }
        int accepted = 0;
        for (const std::string& value : is_flag ? std::vector<std::string>{""} : values_for(*option)) {
            std::vector<std::string> words = before;
            words.push_back("--" + name);
            if (!is_flag) {
                words.push_back(value);
            }
            std::optional<ParsedLine> given;
            try {
                given.emplace(words);
            } catch (const CLI::ParseError&) {
                continue;
            }
            ++accepted;
            const std::string config = given->config();
            EXPECT_THAT(config, ::testing::HasSubstr(name + " = ")) << name;
            if (!is_flag && value.find(',') == std::string::npos) {  // of lists
                EXPECT_THAT(config, ::testing::HasSubstr(value)) << name;
            }
            ParsedLine again = read_back(config);
            EXPECT_EQ(again.options(), given->options()) << config;
            EXPECT_EQ(again.config(), config);
            ++tried;
        }
        EXPECT_GT(accepted, 0) << "no value of values_for is one of --" << name;
    }
    EXPECT_GT(tried, 80);
}

TEST_F(ConfigFile, MeansWhatTheCommandLineMeant) {
    ParsedLine given(
        {"--precision", "double", "--no-cache", "--no-accuracy-check", "--matrix", "14", "12", "--divide", "none"});
    EXPECT_EQ(
        given.config(),
        "matrix = [14, 12]\nprecision = \"double\"\ndivide = \"none\"\nno-accuracy-check = true\nno-cache = true\n");
    EXPECT_EQ(given.options()["precision"], "double");
    EXPECT_THAT(command_text(given.app()), ::testing::HasSubstr("--precision double"));
    const ParsedLine again = read_back(given.config());
    EXPECT_EQ(again.line().reconstruct.precision, Precision::double_);
    EXPECT_EQ(again.line().reconstruct.divide, RankDivision::none);
    EXPECT_FALSE(again.line().use_cache);
    EXPECT_FALSE(again.line().reconstruct.measure_accuracy);
    EXPECT_EQ(read_back(ParsedLine({existing_}).config()).line().beside, existing_);
}

}  // namespace
}  // namespace recon
