// BART's own tools make the scan and judge what becomes of it. Skipped where they are not installed.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "data/formats/bart/bart_file.hpp"
#include "tests/support/program.hpp"

namespace recon {
namespace {

using test::run_recon;

class BartTools : public ::testing::Test {
protected:
    void SetUp() override {
        if (std::system("bart version >/dev/null 2>&1") != 0) {
            GTEST_SKIP() << "bart is not installed";
        }
    }
    void bart(const std::string& arguments) const {
        const std::string command = "cd " + folder_.path() + " && bart " + arguments + " >bart.log 2>&1";
        ASSERT_EQ(std::system(command.c_str()), 0) << command;
    }
    void recon(const std::string& arguments) const {
        const test::ProgramRun run = run_recon("--quiet --device cpu --no-check --prior none --no-cache " + arguments);
        ASSERT_EQ(run.exit_code, 0) << run.output;
    }
    std::string file(const std::string& name) const { return folder_ / name; }
    std::vector<cfloat> read(const std::string& name) const { return open_bart(file(name + ".cfl")).read(); }

    /// How much `image` is of `truth`, and how far from that multiple, as part of itself.
    struct Likeness {
        cdouble scale;
        double error;
    };
    Likeness likeness(const std::string& image, const std::string& truth) const {
        const std::vector<cfloat> a = read(truth), b = read(image);
        EXPECT_EQ(a.size(), b.size());
        cdouble product = 0;
        double norm_a = 0, difference = 0, norm_b = 0;
        for (std::size_t i = 0; i < a.size(); ++i) {
            product += std::conj(cdouble(a[i])) * cdouble(b[i]);
            norm_a += std::norm(cdouble(a[i]));
        }
        const cdouble scale = product / norm_a;
        for (std::size_t i = 0; i < a.size(); ++i) {
            difference += std::norm(cdouble(b[i]) - scale * cdouble(a[i]));
            norm_b += std::norm(cdouble(b[i]));
        }
        return {scale, std::sqrt(difference / norm_b)};
    }
    test::TemporaryFolder folder_;
};

/// An image that fills a part of an oblong matrix unevenly along every axis, so that nothing mirrored or exchanged
/// fits.
TEST_F(BartTools, AScanOfBartBecomesTheImageThatItShows) {
    bart("phantom -x 40 -T full && bart resize -c 0 32 1 24 full image");
    bart("phantom -x 40 -S 3 full && bart resize -c 0 32 1 24 full maps && bart fmac image maps coils");
    bart("traj -r -x 32 -y 60 trajectory && bart nufft trajectory coils kspace");
    recon("--scan " + file("kspace") + " --trajectory " + file("trajectory") + " --coil-maps " + file("maps") +
          " --iterations 60 --out " + file("ours.cfl"));  // the matrix is that of the maps
    const Likeness ours = likeness("ours", "image");
    EXPECT_NEAR(ours.scale.real(), 1, 0.05);
    EXPECT_NEAR(ours.scale.imag(), 0, 0.01);
    EXPECT_LT(ours.error, 0.2);
    bart("pics -w 1 -i 60 -t trajectory kspace maps theirs");
    EXPECT_LT(ours.error, 1.05 * likeness("theirs", "image").error);
}

TEST_F(BartTools, AGridOfBartBecomesTheImageThatItShows) {
    bart("phantom -x 32 image && bart phantom -x 32 -S 3 maps && bart fmac image maps coils");
    bart("fft -u 7 coils full && bart poisson -Y 32 -Z 32 -y 1.2 -z 1.2 -C 12 pattern");
    bart("transpose 0 2 pattern turned && bart fmac full turned kspace");
    recon("--scan " + file("kspace") + " --coil-maps " + file("maps") + " --iterations 60 --out " + file("ours.cfl"));
    const Likeness ours = likeness("ours", "image");
    EXPECT_NEAR(ours.scale.real(), 1, 0.02);
    EXPECT_LT(ours.error, 0.1);
}

TEST_F(BartTools, BartReconstructsWhatWeSimulate) {
    const test::ProgramRun run =
        run_recon("simulate --matrix 32 32 --coils 3 --snr inf --format bart --out " + file("k.cfl"));
    ASSERT_EQ(run.exit_code, 0) << run.output;
    recon("--scan " + file("k") + " --trajectory " + file("k-trajectory") + " --coil-maps " + file("k-coil-maps") +
          " --matrix 32 --iterations 60 --out " + file("ours.cfl"));
    bart("pics -w 1 -i 60 -t k-trajectory k k-coil-maps theirs");
    const Likeness both = likeness("theirs", "ours");
    EXPECT_NEAR(both.scale.real(), 1, 0.05);
    EXPECT_LT(both.error, 0.1);
}

/// ESPIRiT of BART for each of two slices whose coils are others.
TEST_F(BartTools, MapsOfSlicesGoToTheirSlices) {
    bart("phantom -x 32 object && bart phantom -x 32 -S 4 maps && bart fmac object maps first");
    bart("flip 1 first second && bart join 13 first second coils && bart flip 1 object turned");
    bart("join 13 object turned image && bart fft -u 7 coils kspace && bart slice 13 0 kspace k0");
    bart("slice 13 1 kspace k1 && bart ecalib -m1 k0 m0 && bart ecalib -m1 k1 m1 && bart join 13 m0 m1 both");
    recon("--scan " + file("kspace") + " --coil-maps " + file("both") + " --iterations 30 --out " + file("ours.cfl"));
    bart("fmac -C -s 8 coils both theirs");
    EXPECT_EQ(open_bart(file("ours.cfl")).text(), "READ 32, PHS1 32, SLICE 2");
    EXPECT_LT(likeness("ours", "theirs").error, 0.01);
    bart("ecalib -m2 k0 sets");
    const test::ProgramRun sets = run_recon("--scan " + file("k0") + " --coil-maps " + file("sets"));
    EXPECT_EQ(sets.exit_code, 3);
    EXPECT_NE(sets.output.find("bart slice 4 0"), std::string::npos) << sets.output;
}

/// As BART takes them, wherever a file is named.
TEST_F(BartTools, NamesGoWithoutTheirEnding) {
    bart("phantom -x 16 object && bart phantom -x 16 -S 2 maps && bart fmac object maps coils");
    bart("traj -r -x 16 -y 24 traj && bart nufft traj coils k && bart ones 2 16 16 one && bart scale 20 one map");
    BartExtents of_girf, of_covariance;
    of_girf.fill(1), of_covariance.fill(1);
    of_girf[0] = 4, of_covariance[0] = of_covariance[1] = 2;
    write_bart(file("girf"), of_girf, {0, 1, 1, 1});
    write_bart(file("covariance"), of_covariance, {1, 0, 0, 1});
    for (const char* option : {"--girf girf --dwell 1e-5", "--noise-covariance covariance",
                               "--field-map map --dwell 1e-5", "--r2star-map map --dwell 1e-5"}) {
        const std::string text = option;
        const std::size_t name = text.find(' ') + 1;
        recon("--scan " + file("k") + " --trajectory " + file("traj") + " --coil-maps " + file("maps") + " " +
              text.substr(0, name) + file(text.substr(name)) + " --iterations 2 --out " + file("image.cfl"));
    }
}

TEST_F(BartTools, FramesStayInTheirDimensions) {
    bart("phantom -x 16 a && bart scale 2 a b && bart scale 3 a c && bart scale 4 a d");
    bart("join 5 a b first && bart join 5 c d second && bart join 13 first second image");
    bart("fft -u 7 image kspace && bart ones 2 16 16 maps");
    recon("--scan " + file("kspace") + " --coil-maps " + file("maps") + " --select slice=1 --iterations 5 --out " +
          file("slice.cfl"));
    recon("--scan " + file("kspace") + " --iterations 5 --out " + file("ours.cfl"));
    EXPECT_EQ(open_bart(file("slice.cfl")).text(), "READ 16, PHS1 16, TE 2");
    EXPECT_EQ(open_bart(file("ours.cfl")).text(), "READ 16, PHS1 16, TE 2, SLICE 2");
    EXPECT_LT(likeness("ours", "image").error, 1e-3);
    bart("nrmse -t 0.001 image ours");
}

}  // namespace
}  // namespace recon
