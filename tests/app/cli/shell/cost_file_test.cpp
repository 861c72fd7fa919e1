#include "app/cli/shell/cost_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "app/cli/resume/checkpoint_command_line.hpp"
#include "core/backend/cpu/cpu_backend.hpp"
#include "core/base/log.hpp"
#include "core/base/log_binding.hpp"
#include "tests/support/file_contents.hpp"
#include "tests/support/program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace recon {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class CostFile : public ::testing::Test {
protected:
    /// Fitted on a machine on which exact sums are far too slow.
    CostFile() { costs_.exact_operation_s *= 500; }

    /// What the log says of a file that was written, and then changed in one of its values.
    std::string said_of(const std::string& pointer, const nlohmann::json& value) {
        write_cost_file(path_, costs_);
        nlohmann::json record = test::read_json(path_);
        record[nlohmann::json::json_pointer(pointer)] = value;
        std::ofstream(path_) << record;
        return said();
    }
    std::string said() {
        Log log(LogLevel::info);
        const LogBinding bound(&log);
        const std::optional<CpuCosts> found = read_cost_file(path_);
        EXPECT_FALSE(found.has_value());
        std::string text;
        for (const std::string& line : log_history()) {
            text += line + "\n";
        }
        EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1) << text;
        return text;
    }

    test::TemporaryFolder folder_;
    std::string path_ = folder_ / "a/costs.json";
    CpuCosts costs_;
};

TEST_F(CostFile, GivesBackWhatWasKept) {
    EXPECT_FALSE(read_cost_file(path_).has_value());
    write_cost_file(path_, costs_);
    EXPECT_EQ(read_cost_file(path_), costs_);
}

TEST_F(CostFile, OfAnotherMachineIsIgnored) {
    EXPECT_THAT(said_of("/machine/host", "another"), HasSubstr("its host is \"another\", here it is"));
    EXPECT_THAT(said_of("/machine/processor", "abacus"), HasSubstr("processor"));
    EXPECT_THAT(said_of("/machine/processor level", 7), HasSubstr("processor level"));
    EXPECT_THAT(said_of("/machine/version of recon", "0.0.1"), HasSubstr("version of recon"));
}

TEST_F(CostFile, ThatIsDamagedIsIgnored) {
    for (const nlohmann::json& value : {nlohmann::json("12e-9"), nlohmann::json(), nlohmann::json(0),
                                        nlohmann::json(-12e-9), nlohmann::json(12.0), nlohmann::json({1})}) {
        EXPECT_THAT(said_of("/costs/sample_s", value), HasSubstr("it is damaged: sample_s is")) << value;
    }
    EXPECT_THAT(said_of("/costs", 3), HasSubstr("damaged"));
    EXPECT_THAT(said_of("/machine", 3), HasSubstr("damaged"));
    for (const std::string text : {"", "{", "null", "[1, 2]", "\xff\xfe"}) {
        std::ofstream(path_) << text;
        EXPECT_THAT(said(), HasSubstr("damaged")) << text;
    }
    std::filesystem::remove(path_);
    std::filesystem::create_directory(path_);
    EXPECT_THAT(said(), HasSubstr("no file of this program's"));
}

/// An image that was begun by other costs would have other bytes.
TEST_F(CostFile, IsPartOfWhatACheckpointIsOf) {
    const auto identity = [] {
        const Team team = Team::of_one(make_cpu_backend(1));
        return run_identity(RunRecord::object(), {}, {}, team);
    };
    const RunRecord before = identity();
    set_cpu_costs(costs_);
    const RunRecord after = identity();
    set_cpu_costs({});
    EXPECT_NE(before, after);
    EXPECT_EQ(before, identity());
}

/// By the program: what is fitted decides, and the log says so; the cache's own options leave it out.
TEST_F(CostFile, DecidesHowLaterRunsSum) {
    const std::string scan = folder_ / "scan.h5";
    ASSERT_EQ(test::run_recon("simulate --matrix 64 64 --coils 2 --out " + scan).exit_code, 0);
    int count = 0;
    const auto run = [&](const std::string& more) {
        const test::ProgramRun done =
            test::run_recon("--scan " + scan + " --device cpu --prior none --iterations 5 --sums auto --out " +
                                (folder_ / "image.h5") + " --npy " + (folder_ / fmt::format("{}.npy", ++count)) + more,
                            "XDG_CACHE_HOME=" + folder_.path());
        EXPECT_EQ(done.exit_code, 0) << done.output;
        return done.output;
    };
    const auto bytes = [&](int number) { return test::contents_of(folder_ / fmt::format("{}.npy", number)); };
    EXPECT_THAT(run(""), HasSubstr("F^H d: exact sums"));
    const std::string host = std::filesystem::path(cost_file_path()).filename();
    path_ = folder_ / "recon/" + host;
    write_cost_file(path_, costs_);
    EXPECT_THAT(run(""), ::testing::AllOf(HasSubstr("F^H d: NUFFT"), HasSubstr("fitted to this machine")));
    EXPECT_THAT(run(""), HasSubstr("F^H d: NUFFT"));
    EXPECT_EQ(bytes(3), bytes(2));
    EXPECT_THAT(run(" --no-cache"),
                ::testing::AllOf(HasSubstr("F^H d: exact sums"), Not(HasSubstr("fitted to this machine"))));
    EXPECT_EQ(bytes(4), bytes(1));
    std::ofstream(path_) << "{";
    EXPECT_THAT(run(""), ::testing::AllOf(HasSubstr("F^H d: exact sums"), HasSubstr("are ignored (it is damaged)")));
    EXPECT_EQ(bytes(5), bytes(1));
}

}  // namespace
}  // namespace recon
