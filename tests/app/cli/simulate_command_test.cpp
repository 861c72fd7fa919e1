#include <gtest/gtest.h>

#include <string>

#include "app/cli/simulate/simulate_command.hpp"
#include "core/base/error.hpp"
#include "data/reading/image_reader.hpp"
#include "data/reading/scan_reader.hpp"
#include "data/simulation/phantom_object.hpp"
#include "tests/support/error_matchers.hpp"
#include "tests/support/temporary_folder.hpp"

namespace recon {
namespace {

void simulate(const std::string& arguments) {
    CLI::App app;
    add_simulate_command(app);
    app.parse("simulate " + arguments);
}

TEST(SimulateCommand, WritesWhatTheReadersRead) {
    const test::TemporaryFolder folder;
    simulate("--out " + folder / "scan.h5" + " --truth " + folder / "truth.h5" +
             " --matrix 12 11 9 --fov 240 220 180 --coils 3 --seed 4 --noise-samples 20 --snr 15 --undersampling 3");
    SimulationOptions options;
    options.request.matrix_size = {12, 11, 9};
    options.request.field_of_view_mm = {240, 220, 180};
    options.request.undersampling = 3;
    options.coil_count = 3;
    options.seed = 4;
    options.noise_sample_count = 20;
    options.snr = 15;
    const Simulation wanted = simulate_scan(options);

    const Scan scan = read_scan(folder / "scan.h5");
    ASSERT_EQ(scan.frames.size(), 1U);
    EXPECT_EQ(scan.geometry.matrix_size, wanted.scan.geometry.matrix_size);
    EXPECT_EQ(scan.geometry.field_of_view_mm, wanted.scan.geometry.field_of_view_mm);
    EXPECT_EQ(scan.samples_per_readout, wanted.scan.samples_per_readout);
    EXPECT_EQ(scan.frames[0].kspace, wanted.scan.frames[0].kspace);
    EXPECT_EQ(scan.frames[0].sample_times_s, wanted.scan.frames[0].sample_times_s);
    EXPECT_EQ(scan.frames[0].trajectory->k, wanted.scan.frames[0].trajectory->k);
    EXPECT_EQ(scan.coil_maps, wanted.scan.coil_maps);
    EXPECT_EQ(scan.noise, wanted.scan.noise);

    const Image truth = read_image(folder / "truth.h5").image;
    EXPECT_EQ(truth.voxels, wanted.truth);
    EXPECT_EQ(truth.geometry.matrix_size, wanted.scan.geometry.matrix_size);
}

TEST(SimulateCommand, ASodiumScanComesWithAProtonImageOfTheSameHead) {
    const test::TemporaryFolder folder;
    const std::string common =
        "--phantom sodium --matrix 20 18 --fov 220 200 --coils 1 --snr 5 --trajectory radial --out " +
        folder / "scan.h5" + " --truth " + folder / "truth.h5" + " --reference-image " + folder / "proton.h5";
    simulate(common);
    const Image proton = read_image(folder / "proton.h5").image;
    EXPECT_EQ(proton.geometry.matrix_size, (PerAxis<Index>{40, 36, 1}));
    EXPECT_EQ(proton.geometry.field_of_view_mm, (PerAxis<double>{220, 200, 220}));
    SimulationOptions options;
    options.phantom = "sodium";
    options.request.matrix_size = {40, 36, 1};
    const std::vector<cfloat> exact = voxel_values(phantom_object("brain", options, {40, 36, 1}), {40, 36, 1});
    double difference = 0, size = 0;
    for (std::size_t i = 0; i < exact.size(); ++i) {
        difference += std::norm(proton.voxels[i] - exact[i]);
        size += std::norm(exact[i]);
    }
    // Noise of mean / 30 in every voxel, halved in air, where magnitudes are of one sign: between 1/60 and 1/20 of the
    // image.
    EXPECT_NEAR(std::sqrt(difference / size), 1.0 / 30, 1.0 / 60);
    const Image truth = read_image(folder / "truth.h5").image;
    EXPECT_NE(truth.voxels, exact);

    simulate(common + " --reference-matrix 30 30 --reference-snr inf");
    EXPECT_EQ(read_image(folder / "proton.h5").image.geometry.matrix_size, (PerAxis<Index>{30, 30, 1}));
    test::expect_error<UsageError>([&] { simulate(common + " --reference-matrix 30 30 30"); }, {"`reference_matrix`"});
    test::expect_error<CLI::ValidationError>([&] { simulate(common + " --reference-snr -1"); },
                                             {"--reference-snr", "above 0"});
}

TEST(SimulateCommand, TwoNumbersMakeASlice) {
    const test::TemporaryFolder folder;
    simulate("--out " + folder / "scan.h5" +
             " --matrix 16 14 --trajectory spiral --coils 2 --no-coil-maps --snr inf --section -0.1 --nucleus 23Na");
    const Scan scan = read_scan(folder / "scan.h5");
    EXPECT_EQ(scan.geometry.matrix_size, (PerAxis<Index>{16, 14, 1}));
    EXPECT_TRUE(scan.coil_maps.empty());
    EXPECT_EQ(scan.coil_count, 2);
}

TEST(SimulateCommand, MrdHoldsTheSameScan) {
    const test::TemporaryFolder folder;
    const std::string options = " --matrix 10 9 8 --coils 2 --trajectory cones --noise-samples 16";
    simulate("--out " + folder / "recon.h5" + options);
    simulate("--format mrd --out " + folder / "mrd.h5" + options);
    const Scan ours = read_scan(folder / "recon.h5");
    const Scan mrd = read_scan(folder / "mrd.h5");
    EXPECT_NE(ours.format, mrd.format);
    EXPECT_EQ(mrd.geometry.matrix_size, ours.geometry.matrix_size);
    EXPECT_EQ(mrd.frames[0].kspace, ours.frames[0].kspace);
    EXPECT_EQ(mrd.coil_maps, ours.coil_maps);
    EXPECT_EQ(mrd.noise, ours.noise);
    constexpr double single_precision_positions = 1e-6;  // of 5 cycles per field of view
    for (int axis = 0; axis < 3; ++axis) {
        for (Index i = 0; i < ours.frames[0].sample_count(); ++i) {
            ASSERT_NEAR(mrd.frames[0].trajectory->k[axis][i], ours.frames[0].trajectory->k[axis][i],
                        single_precision_positions);
        }
    }
}

TEST(SimulateCommand, ScansAnImage) {
    const test::TemporaryFolder folder;
    simulate("--out " + folder / "first.h5" + " --truth " + folder / "fine.h5" + " --matrix 14 13 --fov 240 230 5" +
             " --coils 1");
    simulate("--from " + folder / "fine.h5" + " --out " + folder / "scan.h5" + " --truth " + folder / "truth.h5" +
             " --trajectory cartesian --coils 2");
    const Scan scan = read_scan(folder / "scan.h5");
    EXPECT_EQ(scan.geometry.matrix_size, (PerAxis<Index>{7, 7, 1}));
    EXPECT_EQ(scan.geometry.field_of_view_mm, (PerAxis<double>{240, 230, 5}));
    EXPECT_EQ(read_image(folder / "truth.h5").image.geometry.matrix_size, (PerAxis<Index>{7, 7, 1}));
    EXPECT_THROW(simulate("--from " + folder / "fine.h5" + " --phantom brain --out " + folder / "scan.h5"),
                 CLI::ExcludesError);
}

TEST(SimulateCommand, RefusesOptionsThatDoNotFit) {
    const test::TemporaryFolder folder;
    const std::string out = "--out " + folder / "scan.h5";
    EXPECT_THROW(simulate(""), CLI::RequiredError);
    EXPECT_THROW(simulate(out + " --phantom cow"), CLI::ValidationError);
    EXPECT_THROW(simulate(out + " --samples 20 --oversampling 1"), CLI::ExcludesError);
    test::expect_error<UsageError>([&] { simulate(out + " --matrix 8 --trajectory spiral"); }, {"spiral", "`matrix`"});
    test::expect_error<CLI::ValidationError>([&] { simulate(out + " --matrix 8 --snr -1"); }, {"--snr", "above 0"});
    test::expect_error<InputError>([&] { simulate("--matrix 8 --out " + folder / "no/scan.h5"); }, {"no"});
}

}  // namespace
}  // namespace recon
