// `--lambda auto` as a user runs it: what is written, and what is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/files/hdf5_file.hpp"
#include "tests/support/program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace recon {
namespace {

using ::testing::HasSubstr;

class AutomaticLambdaRun : public ::testing::Test {
protected:
    std::string file(const std::string& name) const { return (folder_ / name); }
    void SetUp() override {
        const auto run = test::run_recon("simulate --matrix 32 32 --trajectory radial --coils 3 --snr 8 --out " +
                                         file("scan.h5") + " --noise-samples 500");
        ASSERT_EQ(run.exit_code, 0) << run.output;
    }
    test::ProgramRun reconstruct(const std::string& options) {
        return test::run_recon("--device cpu --scan " + file("scan.h5") + " --out " + file("image.h5") + " --json " +
                               file("run.json") + " " + options);
    }

    test::TemporaryFolder folder_;
};

TEST_F(AutomaticLambdaRun, WritesCurveRecordAndPicture) {
    for (const std::string method : {"image", "gcv", "risk", "discrepancy", "lcurve"}) {
        const auto run = reconstruct("--lambda auto --lambda-method " + method + " --lambda-png " + file("lambda.png"));
        ASSERT_EQ(run.exit_code, 0) << run.output;
        const nlohmann::json record = test::read_json(file("run.json"))["lambda"];
        EXPECT_EQ(record["method"], method);
        EXPECT_GT(record["chosen"].get<double>(), 0);
        const H5File image = H5File::open(file("image.h5"));
        const std::vector<double> lambdas = image.read<double>("/lambda/lambda");
        EXPECT_TRUE(std::is_sorted(lambdas.begin(), lambdas.end()));
        EXPECT_EQ(lambdas, record["lambda"].get<std::vector<double>>());
        EXPECT_EQ(image.read<double>("/lambda/misfit").size(), lambdas.size());
        EXPECT_EQ(image.read<double>("/lambda/criterion").size(), lambdas.size());
        EXPECT_EQ(image.has_dataset("/lambda/degrees_of_freedom"), method != "lcurve");
        EXPECT_EQ(record.contains("noise_sigma"), method != "gcv" && method != "lcurve");
        if (record.contains("noise_sigma")) {
            EXPECT_EQ(record["noise_source"], "noise acquisitions");
        }
        EXPECT_GT(std::filesystem::file_size(file("lambda.png")), 1000U);
    }
}

TEST_F(AutomaticLambdaRun, ASigmaThatIsGivenIsUsed) {
    const auto run = reconstruct("--lambda auto --lambda-method risk --noise-sigma 2.5");
    ASSERT_EQ(run.exit_code, 0) << run.output;
    EXPECT_EQ(test::read_json(file("run.json"))["lambda"]["noise_sigma"], 2.5);
}

TEST_F(AutomaticLambdaRun, RefusesWhatCannotBe) {
    struct Refusal {
        std::string options;
        int exit_code;
        std::string says;
    };
    for (const Refusal& refusal :
         {Refusal{"--prior identity,identity --lambda auto,auto", 2, "auto twice"},
          Refusal{"--lambda -1", 2, "not negative"}, Refusal{"--lambda often", 2, "or auto"},
          Refusal{"--lambda 1e-3 --lambda-png " + file("lambda.png"), 2, "give --lambda auto as well"},
          Refusal{"--lambda auto --lambda-method best", 2, "--lambda-method"},
          Refusal{"--lambda auto --noise-sigma -3", 2, "--noise-sigma"},
          Refusal{"--preconditioner ilu", 2, "--preconditioner"}}) {
        const auto run = reconstruct(refusal.options);
        EXPECT_EQ(run.exit_code, refusal.exit_code) << refusal.options;
        EXPECT_THAT(run.output, HasSubstr(refusal.says)) << refusal.options;
    }
}

}  // namespace
}  // namespace recon
