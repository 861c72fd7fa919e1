// recon q and recon fhd as a user runs them.
#include <gtest/gtest.h>

#include <filesystem>

#include "data/formats/parboil/parboil_file.hpp"
#include "tests/support/backends.hpp"
#include "tests/support/file_contents.hpp"
#include "tests/support/program.hpp"
#include "tests/support/shared_data.hpp"
#include "tests/support/temporary_folder.hpp"

namespace recon {
namespace {

class Parboil : public ::testing::TestWithParam<test::BackendFactory> {
protected:
    test::ProgramRun run(const std::string& arguments) const {
        return test::run_recon(arguments + " --device " + GetParam().name);
    }
    test::TemporaryFolder folder_;
};

TEST_P(Parboil, PassesItsOwnCheckOnItsOwnFile) {
    const std::filesystem::path shared = shared_data_folder() / "parboil-mri-q";
    if (!std::filesystem::exists(shared)) {
        GTEST_SKIP() << "no Parboil mri-q data set in " << shared << "; set RECON_SHARED_DATA";
    }
    const std::string files = (shared / "32_32_32_dataset.bin").string() + " --check " +
                              (shared / "32_32_32_dataset.out").string() + " --json " + (folder_ / "q.json");
    for (const char* precision : {"single", "double"}) {
        const auto passed = run("q " + files + " --precision " + precision);
        EXPECT_EQ(passed.exit_code, 0) << passed.output;
        const auto record = test::read_json(folder_ / "q.json");
        EXPECT_TRUE(record["check"]["passed"]);
        // The published values were computed in single precision; 1.06e-6 is what an exact Q is away from them.
        EXPECT_LT(record["check"]["relative_difference"], 2e-6);
        EXPECT_EQ(record["device"].get<std::string>().substr(0, 3), GetParam().name.substr(0, 3));
    }
    const auto failed = run("q " + files + " --samples 1000");
    EXPECT_EQ(failed.exit_code, 5) << failed.output;
    EXPECT_NE(failed.output.find("recon: error: "), std::string::npos);
    EXPECT_FALSE(test::read_json(folder_ / "q.json")["check"]["passed"]);
}

// Three ways to one result: a sine and a cosine for every pair, separable factors, and double precision.
TEST_P(Parboil, WaysToSumAgree) {
    for (const std::string sum : {"q", "fhd"}) {
        const std::string input = folder_ / (sum + ".bin");
        const std::string reference = folder_ / (sum + ".out");
        const auto made = run(sum + " --random-phantom --size 13 8 5 --samples 777 --write-input " + input + " --out " +
                              reference + " --precision double --method direct");
        ASSERT_EQ(made.exit_code, 0) << made.output;
        for (const char* options : {"--method direct", "--method separable", ""}) {
            const auto checked = run(sum + " " + input + " --check " + reference + " " + options +
                                     " --repeat 2 --json " + (folder_ / "run.json"));
            EXPECT_EQ(checked.exit_code, 0) << checked.output;
            EXPECT_LT(test::read_json(folder_ / "run.json")["check"]["relative_difference"], 2e-6) << options;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(, Parboil, test::every_backend(), test::backend_name);

class ParboilErrors : public ::testing::Test {
protected:
    static void expect_failure(const std::string& arguments, int exit_code, const std::string& word) {
        const auto run = test::run_recon(arguments + " --device cpu");
        EXPECT_EQ(run.exit_code, exit_code) << arguments << "\n" << run.output;
        const std::size_t line = run.output.find("recon: error: ");
        ASSERT_NE(line, std::string::npos) << run.output;
        EXPECT_NE(run.output.find(word, line), std::string::npos) << "'" << word << "' not in " << run.output;
    }
    std::string make(const std::string& command, const std::string& name) const {
        const auto run =
            test::run_recon(command + " --random-phantom --size 4 --samples 9 --write-input " + folder_ / name);
        EXPECT_EQ(run.exit_code, 0) << run.output;
        return folder_ / name;
    }
    test::TemporaryFolder folder_;
};

TEST_F(ParboilErrors, DamagedFilesAreCodeThree) {
    const std::string good = make("q", "good.bin");
    const std::string bad = folder_ / "bad.bin";
    const auto size = std::filesystem::file_size(good);
    std::filesystem::copy_file(good, bad);
    std::filesystem::resize_file(bad, size - 3);
    expect_failure("q " + bad, 3, "cut short");
    std::filesystem::resize_file(bad, size + 8);
    expect_failure("q " + bad, 3, "bytes added");
    expect_failure("q " + (folder_ / "none.bin"), 3, "none.bin");
    expect_failure("fhd " + good, 3, "no data d");
    expect_failure("q " + good + " --check " + good, 3, "good.bin");
    expect_failure("q " + good + " --out " + (folder_ / "no/such/folder.out"), 3, "no/such");
}

TEST_F(ParboilErrors, WrongUsageIsCodeTwo) {
    const std::string input = make("fhd", "input.bin");
    expect_failure("q", 2, "--random-phantom");
    expect_failure("q " + input + " --random-phantom", 2, "--random-phantom");
    expect_failure("q " + input + " --size 4", 2, "--size");
    expect_failure("q " + input + " --samples 0", 2, "--samples");
    expect_failure("q " + input + " --precision half", 2, "--precision");
}

TEST_F(ParboilErrors, SeparableSumsNeedAGrid) {
    ParboilInput input = read_parboil_input(make("fhd", "input.bin"));
    input.r[0][5] += 0.01F;
    write_parboil_input(folder_ / "input.bin", input);
    expect_failure("fhd " + (folder_ / "input.bin") + " --method separable", 2, "no grid");
}

TEST_F(ParboilErrors, SumsBeyondSinglePrecisionAreNotWritten) {
    ParboilInput input = read_parboil_input(make("q", "input.bin"));
    std::ranges::fill(input.phi, cfloat(1e25F));
    write_parboil_input(folder_ / "input.bin", input);
    expect_failure("q " + (folder_ / "input.bin") + " --out " + (folder_ / "out"), 3, "beyond what single precision");
    EXPECT_FALSE(std::filesystem::exists(folder_ / "out"));
}

// The first N samples, written and read again, are what --samples N computes with.
TEST_F(ParboilErrors, ACutInputGivesTheSameSums) {
    const std::string input = make("fhd", "input.bin");
    const std::string cut = folder_ / "cut.bin";
    EXPECT_EQ(
        test::run_recon("fhd " + input + " --samples 4 --write-input " + cut + " --out " + (folder_ / "a")).exit_code,
        0);
    EXPECT_EQ(test::run_recon("fhd " + cut + " --out " + (folder_ / "b")).exit_code, 0);
    EXPECT_EQ(read_parboil_input(cut).sample_count(), 4);
    EXPECT_EQ(test::contents_of(folder_ / "a"), test::contents_of(folder_ / "b"));
}

}  // namespace
}  // namespace recon
