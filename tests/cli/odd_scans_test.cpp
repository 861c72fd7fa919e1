// Scans that are legal and unusual, as a user meets them.
#include <gtest/gtest.h>

#include "core/mri/grids/margin.hpp"
#include "data/files/hdf5_file.hpp"
#include "data/formats/recon_h5/recon_hdf5_writer.hpp"
#include "data/reading/placed_image_reader.hpp"
#include "data/reading/scan_reader.hpp"
#include "tests/support/program.hpp"
#include "tests/support/random.hpp"
#include "tests/support/temporary_folder.hpp"

namespace recon {
namespace {

class OddScans : public ::testing::Test {
protected:
    std::string file(const std::string& name) const { return folder_ / name; }
    void simulate(const std::string& options) const {
        const auto run = test::run_recon("simulate --quiet --out " + file("scan.h5") + " --truth " + file("truth.h5") +
                                         " --coils 4 " + options);
        ASSERT_EQ(run.exit_code, 0) << run.output;
    }
    test::ProgramRun reconstruct(const std::string& options) const {
        return test::run_recon("--device cpu --scan " + file("scan.h5") + " --out " + file("image.h5") + " --json " +
                               file("run.json") + " --reference " + file("truth.h5") + " " + options);
    }
    nlohmann::json record() const { return test::read_json(file("run.json")); }
    double error() const { return record()["reference"]["nrmse"].get<double>(); }

    test::TemporaryFolder folder_;
};

/// Zero filling: beyond the band that was measured the spectrum of a smooth object falls below anything.
TEST_F(OddScans, MayHaveAFinerMatrixThanWasMeasured) {
    simulate("--matrix 32 32 --trajectory radial --snr 40");
    for (const char* const matrix : {"64 64", "96 96"}) {
        const auto run = test::run_recon("--device cpu --scan " + file("scan.h5") + " --out " + file("image.h5") +
                                         " --json " + file("run.json") + " --matrix " + matrix);
        ASSERT_EQ(run.exit_code, 0) << run.output;
        EXPECT_LT(record()["data_residual"], 0.03) << matrix;
        EXPECT_LT(record()["iterations_in_all"], 400) << matrix;
    }
}

TEST_F(OddScans, MayHaveSamplesOfNoWeight) {
    simulate("--matrix 48 48 --trajectory radial --snr 20");
    Scan scan = read_scan(file("scan.h5"));
    Frame& frame = scan.frames.front();
    const Index samples = frame.sample_count(), length = scan.samples_per_readout;
    std::vector<float> weights(static_cast<std::size_t>(samples), 1);
    for (Index m = 7 * length; m < 12 * length; ++m) {
        weights[static_cast<std::size_t>(m)] = 0;
        for (Index coil = 0; coil < scan.coil_count; ++coil) {
            frame.kspace[static_cast<std::size_t>(coil * samples + m)] = cfloat(1000, -500);
        }
    }
    frame.density_weights = weights;
    write_scan(scan, file("scan.h5"));
    auto run = reconstruct("--strict --weights density");
    EXPECT_EQ(run.exit_code, 0) << run.output;
    EXPECT_LT(error(), 0.06);
    run = reconstruct("--weights density --coil-maps espirit");
    EXPECT_EQ(run.exit_code, 0) << run.output;
    EXPECT_LT(record()["reference"]["nrmse_scaled"], 0.08);
}

TEST_F(OddScans, MayHoldAMapOfDecayToBeNamed) {
    simulate("--matrix 24 24 --trajectory spiral --off-resonance 20 --r2star 60");
    const auto run = reconstruct("--r2star-map relaxation_rate_per_s");
    EXPECT_EQ(run.exit_code, 0) << run.output;
    EXPECT_NE(run.output.find("R2* map from"), std::string::npos) << run.output;
    EXPECT_EQ(reconstruct("--r2star-map decay").exit_code, 3);
}

TEST_F(OddScans, WithMapsOfNothingAreRefused) {
    simulate("--matrix 24 24 --trajectory radial --undersampling 1");
    const auto run = reconstruct("--coil-maps espirit --coil-crop 1");
    EXPECT_EQ(run.exit_code, 3) << run.output;
    EXPECT_NE(run.output.find("coil maps are zero"), std::string::npos) << run.output;
}

TEST_F(OddScans, AskedForNoIterationsAreToldNoError) {
    simulate("--matrix 24 24 --trajectory radial");
    ASSERT_EQ(reconstruct("--iterations 0").exit_code, 0);
    EXPECT_FALSE(record().contains("predicted_error"));
}

/// The head ends four voxels beyond this field along y.
TEST_F(OddScans, MayShowAnObjectThatGoesOnBeyondTheField) {
    simulate("--matrix 64 64 --phantom tissue --trajectory radial --snr 40");
    Scan scan = read_scan(file("scan.h5"));
    widen(scan, {0, -6, 0});
    write_scan(scan, file("scan.h5"));
    const auto image_with = [&](const std::string& options) {
        const auto run = test::run_recon("--device cpu --scan " + file("scan.h5") + " --out " + file("image.h5") +
                                         " --json " + file("run.json") + " --baseline " + options);
        EXPECT_EQ(run.exit_code, 0) << run.output;
        return read_placed_image(file("image.h5")).image;
    };
    const std::vector<cfloat> truth = without_margin(
        std::span<const cfloat>(read_placed_image(file("truth.h5")).image.voxels), {64, 52, 1}, {0, 6, 0});
    const auto error_of = [&](const Image& image) {
        return test::relative_difference({image.voxels.begin(), image.voxels.end()}, {truth.begin(), truth.end()});
    };
    const double without = error_of(image_with("--margin 0"));
    EXPECT_EQ(record()["margin"], (std::vector<int>{0, 0, 0}));
    const Image image = image_with("");
    EXPECT_EQ(image.geometry.matrix_size, (PerAxis<Index>{64, 52, 1}));
    EXPECT_EQ(image.geometry.field_of_view_mm, scan.geometry.field_of_view_mm);
    EXPECT_LT(error_of(image), without / 2);
    EXPECT_GT(record()["margin"][1], 4);
    const H5File written = H5File::open(file("image.h5"));
    for (const char* const map : {"/uncertainty/sd", "/baseline/image", "/image"}) {
        EXPECT_EQ(written.dataset_info(map).extents, (std::vector<Index>{1, 52, 64})) << map;
    }
    image_with("--prior none");
    EXPECT_EQ(record()["margin"], (std::vector<int>{0, 0, 0}));
    const auto mixed = reconstruct("--margin 1 auto");
    EXPECT_EQ(mixed.exit_code, 2);
    EXPECT_NE(mixed.output.find("--margin 1 auto: expected auto alone, or numbers"), std::string::npos) << mixed.output;
    image_with("--margin 1 8");
    EXPECT_EQ(record()["margin"], (std::vector<int>{1, 8, 0}));
}

}  // namespace
}  // namespace recon
