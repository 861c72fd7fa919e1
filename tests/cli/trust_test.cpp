// Doubt about a scan is said, in the log and in the record; with --strict it is an error, and nothing is written.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "core/mri/check/scan_fix.hpp"
#include "data/formats/recon_h5/recon_hdf5_writer.hpp"
#include "data/reading/placed_image_reader.hpp"
#include "data/simulation/simulate_scan.hpp"
#include "tests/support/program.hpp"
#include "tests/support/random.hpp"
#include "tests/support/temporary_folder.hpp"

namespace recon {
namespace {

class Trust : public ::testing::Test {
protected:
    Trust() {
        SimulationOptions options;
        options.trajectory = "radial";
        options.request.matrix_size = {48, 48, 1};
        options.coil_count = 4;
        options.snr = 30;
        scan_ = simulate_scan(options).scan;
    }
    /// Runs the program on the scan as it is now.
    test::ProgramRun reconstruct(const std::string& options) const {
        write_scan(scan_, folder_ / "scan.h5");
        return test::run_recon("--scan " + (folder_ / "scan.h5") + " --out " + out() + " --json " +
                               (folder_ / "run.json") + " --iterations 10 " + options);
    }
    nlohmann::json check() const { return test::read_json(folder_ / "run.json").at("check"); }
    std::string out() const { return folder_ / "image.h5"; }

    test::TemporaryFolder folder_;
    Scan scan_;
};

TEST_F(Trust, AGoodScanIsFineAlsoForStrictUsers) {
    const auto run = reconstruct("--strict");
    EXPECT_EQ(run.exit_code, 0) << run.output;
    EXPECT_EQ(check().at("verdict"), "fine");
    EXPECT_GT(check().at("residual"), 0);
}

TEST_F(Trust, ANoisyCoilIsNamedAlsoWhereManyAreCompressed) {
    SimulationOptions options;
    options.trajectory = "radial";
    options.request.matrix_size = {48, 48, 1};
    options.coil_count = 20;
    options.snr = 30;
    scan_ = simulate_scan(options).scan;
    std::vector<cfloat>& kspace = scan_.frames.front().kspace;
    const std::size_t length = kspace.size() / 20;
    constexpr std::size_t noisy = 13;
    double energy = 0;
    for (std::size_t i = noisy * length; i < (noisy + 1) * length; ++i) {
        energy += std::norm(kspace[i]) / static_cast<double>(length);
    }
    const std::vector<cdouble> noise = test::random_values(static_cast<Index>(length), 1);
    for (std::size_t i = 0; i < length; ++i) {
        kspace[noisy * length + i] += cfloat(std::sqrt(energy) * noise[i]);
    }
    const auto scaled = reconstruct("");
    EXPECT_NE(scaled.output.find("check: coil 13: five times the noise of the others"), std::string::npos);
    EXPECT_NE(scaled.output.find("prewhitened by the noise beyond the field of view"), std::string::npos) << scaled.output;
    const auto run = reconstruct("--no-prewhitening");
    EXPECT_EQ(run.exit_code, 0) << run.output;
    EXPECT_NE(run.output.find("20 compressed to"), std::string::npos) << run.output;
    EXPECT_NE(run.output.find("coil 13 does not fit the image"), std::string::npos) << run.output;
    EXPECT_EQ(run.output.find("virtual"), std::string::npos);
    EXPECT_EQ(reconstruct("--coils all").output.find("compressed"), std::string::npos);
    EXPECT_EQ(reconstruct("--prior none").output.find("compressed"), std::string::npos);
    EXPECT_NE(reconstruct("--coils 21").output.find("the scan has 20"), std::string::npos);
    EXPECT_NE(reconstruct("--coils some").output.find("or auto or all"), std::string::npos);
}

TEST_F(Trust, ADoubtfulScanIsSaidToBeAndStrictUsersGetNothing) {
    apply(parse_scan_fixes("conjugate").front(), scan_);
    auto run = reconstruct("");
    EXPECT_EQ(run.exit_code, 0) << run.output;
    EXPECT_NE(run.output.find("k-space is conjugated"), std::string::npos) << run.output;
    EXPECT_EQ(check().at("verdict"), "doubtful");
    std::filesystem::remove(out());
    run = reconstruct("--strict");
    EXPECT_EQ(run.exit_code, 6) << run.output;
    EXPECT_NE(run.output.find("--fix conjugate"), std::string::npos) << run.output;
    EXPECT_FALSE(std::filesystem::exists(out()));
    run = reconstruct("--strict --fix conjugate");
    EXPECT_EQ(run.exit_code, 0) << run.output;
    EXPECT_EQ(check().at("applied").front(), "fix conjugate");
}

/// Of positions that are twice as far out as they should be half would be left out first.
TEST_F(Trust, FixesComeBeforeSamplesAreLeftOut) {
    ASSERT_EQ(reconstruct("").exit_code, 0);
    const std::vector<cfloat> right = read_placed_image(out()).image.voxels;
    apply(parse_scan_fixes("scale=2").front(), scan_);
    const auto run = reconstruct("--fix scale=0.5");
    ASSERT_EQ(run.exit_code, 0) << run.output;
    EXPECT_EQ(run.output.find("dropped"), std::string::npos) << run.output;
    const std::vector<cfloat> fixed = read_placed_image(out()).image.voxels;
    EXPECT_LT(test::relative_difference({fixed.begin(), fixed.end()}, {right.begin(), right.end()}), 1e-6);
    const auto check = test::run_recon("check " + (folder_ / "scan.h5") + " --fix scale=0.5");
    EXPECT_EQ(check.exit_code, 0) << check.output;
    EXPECT_EQ(check.output.find("dropped"), std::string::npos) << check.output;
}

TEST_F(Trust, WithoutTheCheckTheResidualIsStillJudged) {
    apply(parse_scan_fixes("conjugate").front(), scan_);
    const auto run = reconstruct("--no-check --strict");
    EXPECT_EQ(run.exit_code, 6) << run.output;
    EXPECT_NE(run.output.find("of the data unexplained"), std::string::npos) << run.output;
    EXPECT_FALSE(std::filesystem::exists(out()));
}

TEST_F(Trust, ReadoutsThatDoNotFitAreNamedInTheRecord) {
    const Index samples = scan_.frames[0].sample_count(), length = scan_.samples_per_readout;
    for (Index coil = 0; coil < 4; ++coil) {
        for (Index m = coil * samples + 9 * length; m < coil * samples + 10 * length; ++m) {
            scan_.frames[0].kspace[m] *= -1;
        }
    }
    const auto run = reconstruct("");
    EXPECT_EQ(run.exit_code, 0) << run.output;
    EXPECT_NE(check().dump().find("readout 9 does not fit"), std::string::npos) << check().dump(1);
}

/// Powers of two: the same digits all the way.
TEST_F(Trust, DataOfAnyScaleGiveTheImageOfThatScale) {
    const auto image = [&](float scale) {
        const Scan before = scan_;
        for (cfloat& value : scan_.frames[0].kspace) {
            value *= scale;
        }
        const auto run = reconstruct("");
        scan_ = before;
        EXPECT_EQ(run.exit_code, 0) << run.output;
        return read_placed_image(out()).image.voxels;
    };
    const std::vector<cfloat> usual = image(1);
    for (const float scale : {0x1p-90F, 0x1p90F}) {
        const std::vector<cfloat> scaled = image(scale);
        ASSERT_EQ(scaled.size(), usual.size());
        double difference = 0, all = 0;
        for (std::size_t i = 0; i < usual.size(); ++i) {
            difference += std::norm(cdouble(scaled[i]) / cdouble(scale) - cdouble(usual[i]));
            all += std::norm(cdouble(usual[i]));
        }
        EXPECT_LT(std::sqrt(difference / all), 1e-4) << scale;
    }
}

TEST_F(Trust, AZeroImageIsAnError) {
    std::filesystem::remove(out());
    for (cfloat& value : scan_.coil_maps) {
        value *= 1e-8F;
    }
    for (cfloat& value : scan_.frames[0].kspace) {
        value *= 1e-40F;
    }
    auto run = reconstruct("--prior none");
    EXPECT_EQ(run.exit_code, 3) << run.output;
    EXPECT_NE(run.output.find("the image is zero"), std::string::npos) << run.output;
    EXPECT_FALSE(std::filesystem::exists(out()));
}

TEST_F(Trust, ADeadCoilIsToldOnce) {
    const Index samples = scan_.frames[0].sample_count();
    std::fill_n(scan_.frames[0].kspace.begin() + samples, samples, cfloat(0));
    const auto run = reconstruct("");
    EXPECT_EQ(run.exit_code, 0) << run.output;
    const std::size_t first = run.output.find("zeros");
    ASSERT_NE(first, std::string::npos) << run.output;
    EXPECT_EQ(run.output.find("zero", first + 1), std::string::npos) << run.output;
}

TEST_F(Trust, ACoilThatIsOfNoUseIsLeftOut) {
    const Scan whole = scan_;
    const auto length = static_cast<std::ptrdiff_t>(whole.frames[0].sample_count());
    const auto image_of = [&](const std::string& options) {
        const auto run = reconstruct(options);
        EXPECT_EQ(run.exit_code, 0) << run.output;
        return read_placed_image(out()).image.voxels;
    };
    const auto difference = [](const std::vector<cfloat>& a, const std::vector<cfloat>& b) {
        return test::relative_difference({a.begin(), a.end()}, {b.begin(), b.end()});
    };
    const std::vector<cfloat> without = image_of("--drop-coils 2");
    std::for_each_n(scan_.frames[0].kspace.begin() + 2 * length, length, [](cfloat& value) { value *= 1e-4F; });
    EXPECT_LT(difference(image_of(""), without), 1e-5);
    EXPECT_GT(difference(image_of("--no-mending"), without), 0.05);
    EXPECT_GT(difference(image_of("--prior none"), image_of("--prior none --drop-coils 2")), 0.05);
}

TEST_F(Trust, NamedCoilsAreLeftOut) {
    const auto run = reconstruct("--drop-coils 1,3");
    EXPECT_EQ(run.exit_code, 0) << run.output;
    EXPECT_NE(run.output.find("coils 1, 3 left out"), std::string::npos) << run.output;
    EXPECT_EQ(reconstruct("--drop-coils 4").exit_code, 3);
    EXPECT_EQ(reconstruct("--drop-coils 3-1").exit_code, 2);
    EXPECT_EQ(reconstruct("--drop-coils none").exit_code, 2);
    EXPECT_EQ(reconstruct("--fix turn").exit_code, 2);
}

}  // namespace
}  // namespace recon
