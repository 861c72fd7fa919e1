// Every option of every command that takes a number refuses what is none, and what cannot be meant, with the range.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "app/cli/commands.hpp"
#include "app/cli/refusal/refused_line.hpp"
#include "app/cli/shell/number_range.hpp"

namespace recon {
namespace {

struct NumberOption {
    CLI::App* command;
    CLI::Option* option;
    std::string name() const { return command->get_name() + " " + option->get_name(); }
    bool may_be_infinite() const { return option->get_description().find("inf for no noise") != std::string::npos; }
};

void add_number_options(CLI::App& command, std::vector<NumberOption>& found) {
    for (CLI::Option* option : command.get_options()) {
        const std::string type = option->get_type_name();
        if (type.starts_with("FLOAT") || type.starts_with("INT") || type.starts_with("UINT")) {
            found.push_back({&command, option});
        }
    }
    for (CLI::App* inner : command.get_subcommands([](const CLI::App*) { return true; })) {
        add_number_options(*inner, found);
    }
}

class NumberOptions : public testing::Test {
protected:
    NumberOptions() : app_("", "recon") {
        add_commands(app_);
        add_number_options(app_, found_);
    }
    /// What the option says to a value; empty if it takes it.
    static std::string answer(CLI::Option& option, const std::string& value) {
        option.clear();
        option.add_result(value);
        try {
            option.run_callback();
        } catch (const CLI::ParseError& error) {
            return error.what();
        }
        return "";
    }

    CLI::App app_;
    std::vector<NumberOption> found_;
};

TEST_F(NumberOptions, AreFoundInAllCommands) { EXPECT_GT(found_.size(), 60U); }

TEST_F(NumberOptions, RefuseWhatIsNoNumberOrCannotBeMeant) {
    for (const NumberOption& one : found_) {
        for (const std::string value : {"nan", "-nan", "NaN", "inf", "-inf", "infinity", "1e300", "-1e300", "1e400",
                                        "99999999999999999999", "-1e-3", "-7e9", "12y", "", "one"}) {
            const bool is_infinite = value == "inf" || value == "infinity" || value == "1e400";
            const bool is_large =  // for a whole number alone
                value == "99999999999999999999" && one.option->get_type_name().starts_with("FLOAT");
            const bool is_section = one.option->get_name() == "--section" && value == "-1e-3";  // a place, of any sign
            const bool may_be_left_out = value.empty() && one.option->get_items_expected_min() == 0;
            if (may_be_left_out || (is_infinite && one.may_be_infinite()) || is_large || is_section) {
                continue;
            }
            EXPECT_NE(answer(*one.option, value), "") << one.name() << " took '" << value << "'";
        }
        EXPECT_NE(answer(*one.option, "nan").find("expected"), std::string::npos)
            << one.name() << " does not say its range: " << answer(*one.option, "nan");
    }
}

TEST(NumberRange, SaysWhatItTakes) {
    const auto answer = [](const CLI::Validator& range, std::string text) { return range(text); };
    EXPECT_EQ(answer(number_from(1e-14, 0.1), "1e-6"), "");
    EXPECT_EQ(answer(number_from(1e-14, 0.1), "nan"), "nan: expected a number from 1e-14 to 0.1");
    EXPECT_EQ(answer(number_from(0, 1), "1"), "");
    EXPECT_EQ(answer(number_above(0, 10), "0"), "0: expected a number above 0, up to 10");
    EXPECT_EQ(answer(number_above_or_infinite(0, 10), "inf"), "");
    EXPECT_NE(answer(number_above_or_infinite(0, 10), "-inf"), "");
    EXPECT_EQ(answer(whole_number(1, 4096), "1.5"), "1.5: expected a whole number from 1 to 4096");
    EXPECT_EQ(answer(whole_number(1, 4096), "4096"), "");
    EXPECT_NE(answer(threads(), "100000"), "");
    EXPECT_EQ(answer(threads(), "16"), "");
}

TEST(NumberRange, IsDecimal) {
    for (const auto& [text, meant] : std::map<std::string, std::string>{
             {"010", "10"}, {"000", "0"}, {"-007", "-7"}, {"00.5", "0.5"}, {"100", "100"}, {"0", "0"}}) {
        std::string number = text;
        EXPECT_EQ(number_from(-100, 100)(number), "");
        EXPECT_EQ(number, meant) << text;
    }
    std::string hexadecimal = "0x10";
    EXPECT_EQ(whole_number(1, 99)(hexadecimal), "0x10: expected a whole number from 1 to 99");
}

TEST(CommandLine, MisspeltOptionsAndCommandsAreTold) {
    const auto answer = [](const std::string& line) {
        CLI::App app("", "recon");
        app.require_subcommand(0, 1);
        add_commands(app);
        try {
            app.parse(line);
        } catch (const CLI::ParseError& error) {
            return std::string(refused_line(error, app).what());
        }
        return std::string();
    };
    EXPECT_NE(answer("--iteratons 3").find("did you mean --iterations?"), std::string::npos) << answer("--iteratons 3");
    EXPECT_NE(answer("--coil-map=x").find("did you mean --coil-maps?"), std::string::npos);
    EXPECT_NE(answer("simulte --out x").find("did you mean simulate?"), std::string::npos) << answer("simulte --out x");
    EXPECT_NE(answer("simulate --out x --interleafs 3").find("did you mean --interleaves?"), std::string::npos)
        << answer("simulate --out x --interleafs 3");
    EXPECT_EQ(answer("--qwertzuiop 3").find("did you mean"), std::string::npos);
}

}  // namespace
}  // namespace recon
