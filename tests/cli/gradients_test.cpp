// --gradient-delays and --girf, on a simulated radial scan whose positions are moved.
#include <gmock/gmock.h>

#include <fstream>

#include "core/mri/check/scan_fix.hpp"
#include "core/mri/gradients/gradient_delays.hpp"
#include "data/formats/npy/npy_writer.hpp"
#include "data/reading/scan_reader.hpp"
#include "tests/support/program.hpp"

namespace recon {
namespace {

using test::run_recon;
using ::testing::HasSubstr;

class Gradients : public ::testing::Test {
protected:
    /// The data of positions that came late, under the positions that were meant.
    void SetUp() override {
        const auto made = run_recon(
            "simulate --quiet --matrix 32 32 --coils 4 --trajectory golden-radial --readouts 60 "
            "--edge 1 --snr inf --out " +
            file("true.h5") + " --truth " + file("truth.h5"));
        ASSERT_EQ(made.exit_code, 0) << made.output;
        Scan scan = read_scan(file("true.h5"));
        const GradientDelays earlier{{-late_[0], -late_[1], 0}, {0, 0, 0}};
        scan.frames[0].trajectory = delayed(*scan.frames[0].trajectory, scan.samples_per_readout, earlier);
        write_npz_scan(scan, file("scan.npz"));
    }
    std::string file(const std::string& name) const { return folder_ / name; }
    nlohmann::json run(const std::string& options) const {
        const auto done =
            run_recon("--scan " + file("scan.npz") +
                      " --prior none --iterations 20 --no-check --device cpu "
                      "--reference " +
                      file("truth.h5") + " --out " + file("image.h5") + " --json " + file("run.json") + " " + options);
        EXPECT_EQ(done.exit_code, 0) << done.output;
        return test::read_json(file("run.json"));
    }
    static double error_of(const nlohmann::json& run) { return run["reference"]["nrmse_scaled"].get<double>(); }
    PerAxis<double> late_{0.8, -0.5, 0};
    test::TemporaryFolder folder_;
};

TEST_F(Gradients, DelaysAreFoundAndCorrected) {
    const nlohmann::json wrong = run(""), given = run("--gradient-delays 0.8 -0.5"),
                         found = run("--gradient-delays auto");
    EXPECT_FALSE(wrong.contains("gradients"));
    EXPECT_NEAR(found["gradients"]["delay_samples"][0].get<double>(), late_[0], 0.05);
    EXPECT_NEAR(found["gradients"]["delay_samples"][1].get<double>(), late_[1], 0.05);
    EXPECT_LT(error_of(given), 0.7 * error_of(wrong));
    EXPECT_LT(error_of(found), 1.05 * error_of(given));
}

/// x and y exchanged in the file are exchanged back first: delays are those of the scanner's axes.
TEST_F(Gradients, AreCorrectedAfterFixes) {
    const double right = error_of(run("--gradient-delays 0.8 -0.5"));
    Scan scan = read_scan(file("scan.npz"));
    apply(parse_scan_fixes("swap=xy").front(), scan);
    write_npz_scan(scan, file("scan.npz"));
    EXPECT_NEAR(error_of(run("--fix swap=xy --gradient-delays 0.8 -0.5")), right, 1e-3 * right);
}

TEST_F(Gradients, AnImpulseResponseIsApplied) {
    const double dwell_s = 4e-6;
    std::ofstream(file("girf.txt")) << -0.5 * dwell_s << " 0 1 0\n0 0 0 1\n" << 0.8 * dwell_s << " 1 0 0\n";
    EXPECT_LT(error_of(run("--dwell 4 --girf " + file("girf.txt"))), 0.7 * error_of(run("")));
}

TEST_F(Gradients, NonsenseIsRefused) {
    const auto refused = [&](const std::string& options, int code, const std::string& part) {
        const auto done = run_recon("--scan " + file("scan.npz") + " --out " + file("x.h5") + " " + options);
        EXPECT_EQ(done.exit_code, code) << done.output;
        EXPECT_THAT(done.output, HasSubstr(part));
    };
    refused("--gradient-delays late", 2, "--gradient-delays late: expected auto, or one to three numbers");
    refused("--gradient-delays 0.1 nan", 2, "expected auto");
    refused("--girf " + file("none.txt"), 3, "none.txt");
}

}  // namespace
}  // namespace recon
