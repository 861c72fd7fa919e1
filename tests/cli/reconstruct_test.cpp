// The program as a user runs it: from a simulated scan to image, picture and record.
#include <gtest/gtest.h>

#include <filesystem>
#include <random>

#include "data/files/hdf5_file.hpp"
#include "data/formats/recon_h5/recon_hdf5_writer.hpp"
#include "data/reading/scan_reader.hpp"
#include "tests/support/program.hpp"
#include "tests/support/random.hpp"
#include "tests/support/temporary_folder.hpp"

namespace recon {
namespace {

class Reconstruct : public ::testing::Test {
protected:
    std::string file(const std::string& name) const { return (folder_ / name); }

    void simulate(const std::string& options, const std::string& scan = "scan.h5") {
        const auto run =
            test::run_recon("simulate --out " + file(scan) + " --truth " + file("truth.h5") + " " + options);
        ASSERT_EQ(run.exit_code, 0) << run.output;
    }
    test::ProgramRun reconstruct(const std::string& options, const std::string& image = "image.h5",
                                 const std::string& scan = "scan.h5") {
        return test::run_recon("--device cpu --scan " + file(scan) + " --out " + file(image) + " --json " +
                               file("run.json") + " " + options);
    }
    std::vector<cdouble> image(const std::string& name) const {
        return H5File::open(file(name)).read<cdouble>("/image");
    }
    nlohmann::json record() const { return test::read_json(file("run.json")); }

    test::TemporaryFolder folder_;
};

TEST_F(Reconstruct, OffResonanceBySegmentsIsTheExactOneToTheTolerance) {
    simulate("--matrix 32 31 --trajectory spiral --off-resonance 150 --r2star 40 --coils 2");
    const std::string common = "--field-map " + file("scan.h5") + " --r2star-map " + file("scan.h5") +
                               " --no-field-map-check --prior none --precision double --iterations 5 --stop 0 ";
    for (const char* method : {"exact", "segments"}) {
        const auto run = reconstruct(common + "--tol 1e-7 --off-resonance " + method, std::string(method) + ".h5");
        ASSERT_EQ(run.exit_code, 0) << run.output;
        EXPECT_LT(record()["measured_accuracy"]["normal"].get<double>(), 1e-6) << method;
        EXPECT_LT(record()["measured_accuracy"]["fhd"].get<double>(), 1e-6) << method;
    }
    // Five iterations amplify what the operators differ by.
    EXPECT_LT(test::relative_difference(image("segments.h5"), image("exact.h5")), 1e-5);
    EXPECT_NE(image("segments.h5"), image("exact.h5"));
    const auto run = reconstruct("--off-resonance nearly");
    EXPECT_EQ(run.exit_code, 2) << run.output;
}

TEST_F(Reconstruct, AMapOfTheScanIsUsedWhereItFits) {
    simulate("--matrix 64 64 --trajectory spiral --coils 4 --snr 30 --dwell 8 --off-resonance 150 --field-map object");
    const auto error_of = [&](const std::string& options) {
        const auto run = reconstruct("--reference " + file("truth.h5") + " " + options);
        EXPECT_EQ(run.exit_code, 0) << run.output;
        return record()["reference"]["nrmse_scaled"].get<double>();
    };
    const double by_itself = error_of("");
    EXPECT_EQ(error_of("--field-map off_resonance_hz"), by_itself);
    const double without = error_of("--field-map none");
    EXPECT_LT(by_itself, 0.6 * without);

    Scan scan = read_scan(file("scan.h5"));
    for (float& value : scan.off_resonance_hz) {
        value = -value;
    }
    write_scan(scan, file("scan.h5"));
    const auto opposite = reconstruct("--reference " + file("truth.h5"));
    ASSERT_EQ(opposite.exit_code, 0) << opposite.output;
    for (const char* const part : {"the scan's own field map is not used (--field-map NAME would)", "opposite fits"}) {
        EXPECT_NE(opposite.output.find(part), std::string::npos) << opposite.output;
    }
    EXPECT_EQ(record()["reference"]["nrmse_scaled"].get<double>(), without);
}

TEST_F(Reconstruct, NoiseAndSpikesOfAMapAreSmoothed) {
    simulate(
        "--matrix 64 64 --trajectory spiral --interleaves 4 --undersampling 1 --coils 4 --snr 30 --dwell 10 "
        "--off-resonance 100");
    const auto error_of = [&](const std::string& options) {
        const auto run = reconstruct("--reference " + file("truth.h5") + " " + options);
        EXPECT_EQ(run.exit_code, 0) << run.output;
        return record()["reference"]["nrmse_scaled"].get<double>();
    };
    const double exact = error_of("");
    EXPECT_EQ(error_of("--field-map-smoothing none"), exact) << "a smooth map stays as it is";
    Scan scan = read_scan(file("scan.h5"));
    std::mt19937 generator(5);
    std::normal_distribution<float> noise(0, 3);
    for (float& value : scan.off_resonance_hz) {
        value += generator() % 200 == 0 ? 400.0F : noise(generator);
    }
    write_scan(scan, file("scan.h5"));
    const double smoothed = error_of("");
    EXPECT_LT(smoothed, 1.5 * exact);
    EXPECT_GT(error_of("--field-map-smoothing none"), 1.5 * smoothed);
}

TEST_F(Reconstruct, UncertaintyIsWrittenAndShown) {
    simulate("--matrix 24 20 --coils 4 --snr 30");
    const auto run = reconstruct("--g-factor --noise-sd 50 --uncertainty-png " + file("uncertainty.png"));
    ASSERT_EQ(run.exit_code, 0) << run.output;
    EXPECT_NE(run.output.find("from 100 draws"), std::string::npos) << run.output;
    EXPECT_GT(std::filesystem::file_size(file("uncertainty.png")), 1000U);
    for (const char* name : {"/uncertainty/sd", "/uncertainty/noise_sd", "/uncertainty/g_factor"}) {
        for (const float value : H5File::open(file("image.h5")).read<float>(name)) {
            ASSERT_GT(value, 0) << name;
        }
    }
    const auto nothing = reconstruct("--prior none --uncertainty-png " + file("uncertainty.png"));
    EXPECT_EQ(nothing.exit_code, 2) << nothing.output;
    EXPECT_EQ(reconstruct("--prior none --noise-sd").exit_code, 2);
    for (const char* draws : {"0", "-3", "many"}) {
        EXPECT_EQ(reconstruct(std::string("--g-factor ") + draws).exit_code, 2) << draws;
        EXPECT_EQ(reconstruct(std::string("--noise-sd ") + draws).exit_code, 2) << draws;
    }
}

/// The image of total variation is another one than that whose error the prior of the scan tells.
TEST_F(Reconstruct, AnErrorIsToldOfItsOwnImageAlone) {
    simulate("--matrix 24 --coils 4 --snr 30");
    for (const char* const terms : {"--prior scan,tv --lambda 1e-3", "--prior scan,identity --lambda auto"}) {
        const auto run = reconstruct(terms);
        ASSERT_EQ(run.exit_code, 0) << run.output;
        EXPECT_FALSE(record().contains("predicted_error")) << terms;
        EXPECT_FALSE(record().contains("effective_resolution_mm")) << terms;
        EXPECT_TRUE(record().contains("spectrum")) << terms;
        EXPECT_FALSE(H5File::open(file("image.h5")).has_dataset("/uncertainty/sd")) << terms;
        EXPECT_EQ(reconstruct(std::string(terms) + " --noise-sd 5").exit_code, 2) << terms;
        EXPECT_EQ(reconstruct(std::string(terms) + " --uncertainty samples=5").exit_code, 2) << terms;
    }
}

TEST_F(Reconstruct, OptionsWithoutASayAreNamed) {
    simulate("--matrix 24 --coils 4 --snr 30");
    for (const auto& [options, named] : std::map<std::string, std::string>{
             {"--preconditioner circulant", "--preconditioner has no say"},
             {"--start gridded", "--start has no say"},
             {"--weights density", "--weights density has no say"},
             {"--prior tv --lambda 1e-3 --preconditioner jacobi", "--preconditioner has no say"},
             {"--prior identity --lambda 1e-3 --lambda-method gcv", "--lambda-method has no say"},
             {"--field-map none --field-map-smoothing always", "--field-map-smoothing has no say"}}) {
        EXPECT_NE(reconstruct(options).output.find(named), std::string::npos) << options;
    }
    EXPECT_EQ(reconstruct("--prior none --start gridded --preconditioner circulant --weights density").output.find("no say"),
              std::string::npos);
    EXPECT_EQ(reconstruct("--lambda-method gcv").exit_code, 2);
    EXPECT_EQ(reconstruct("--prior-edge-scale 2").exit_code, 2);
}

TEST_F(Reconstruct, WholeJobWithEverythingWritten) {
    simulate("--matrix 24 --coils 4 --snr 30");
    const auto run = reconstruct("--baseline --reference " + file("truth.h5") + " --png " + file("image.png") +
                                 " --nifti " + file("image.nii.gz"));
    ASSERT_EQ(run.exit_code, 0) << run.output;
    const nlohmann::json json = record();
    for (const char* key : {"version", "backend", "sums", "iterations", "stopped_by", "residuals", "data_residual",
                            "seconds", "measured_accuracy", "reference", "baseline", "memory_peak_bytes", "prior",
                            "noise_sigma", "model_error", "spectrum", "predicted_error", "effective_resolution_mm"}) {
        EXPECT_TRUE(json.contains(key)) << key;
    }
    for (const char* stage : {"read", "coil_maps", "density", "q", "fhd", "cg", "write", "total"}) {
        EXPECT_TRUE(json["seconds"].contains(stage)) << stage;
    }
    EXPECT_EQ(json["prior"], "scan");
    EXPECT_EQ(json["stopped_by"], "predicted error");
    EXPECT_NE(run.output.find("effective resolution"), std::string::npos) << run.output;
    EXPECT_EQ(json["residuals"].size(), json["iterations"].get<std::size_t>());
    EXPECT_LT(json["reference"]["nrmse_scaled"].get<double>(), 0.8 * json["baseline"]["nrmse_scaled"].get<double>());
    for (const char* what : {"q", "fhd", "normal"}) {
        EXPECT_LT(json["measured_accuracy"][what].get<double>(), 1e-5) << what;  // ten times the tolerance
    }
    const H5File written = H5File::open(file("image.h5"));
    EXPECT_EQ(written.dataset_info("/image").text(), "complex64 [24, 24, 24]");
    EXPECT_EQ(written.dataset_info("/baseline/image").text(), "complex64 [24, 24, 24]");
    EXPECT_EQ(written.dataset_info("/uncertainty/sd").text(), "float32 [24, 24, 24]");
    EXPECT_TRUE(written.has_group("/run"));
    EXPECT_TRUE(std::filesystem::file_size(file("image.png")) > 1000);
    EXPECT_TRUE(std::filesystem::file_size(file("image.nii.gz")) > 1000);
    EXPECT_EQ(test::run_recon("info " + file("image.h5")).exit_code, 0);
    EXPECT_EQ(test::run_recon("compare " + file("image.h5") + " " + file("truth.h5")).exit_code, 0);
}

TEST_F(Reconstruct, TheWaysToSumAndTheFormatsAgree) {
    simulate("--matrix 20 --coils 2 --trajectory radial", "scan.h5");
    simulate("--matrix 20 --coils 2 --trajectory radial --format mrd", "mrd.h5");
    ASSERT_EQ(reconstruct("--prior none --sums exact", "exact.h5").exit_code, 0);
    ASSERT_EQ(record()["sums"], "exact");
    ASSERT_EQ(reconstruct("--prior none --sums nufft", "nufft.h5").exit_code, 0);
    ASSERT_EQ(record()["sums"], "nufft");
    ASSERT_EQ(reconstruct("--prior none --sums exact", "mrd-image.h5", "mrd.h5").exit_code, 0);
    // The NUFFT's tolerance is 1e-6; thirty iterations on a radial scan amplify it by some hundreds.
    EXPECT_LT(test::relative_difference(image("nufft.h5"), image("exact.h5")), 1e-3);
    // MRD keeps the trajectory in single precision.
    EXPECT_LT(test::relative_difference(image("mrd-image.h5"), image("exact.h5")), 1e-3);
}

TEST_F(Reconstruct, SinglePrecisionStaysWithinAPercentOfDouble) {
    simulate("--matrix 20 --coils 1 --trajectory radial-centre-out");
    ASSERT_EQ(reconstruct("--prior none --iterations 15", "single.h5").exit_code, 0);
    ASSERT_EQ(reconstruct("--prior none --iterations 15 --precision double", "double.h5").exit_code, 0);
    EXPECT_LT(test::relative_difference(image("single.h5"), image("double.h5")), 0.01);
}

TEST_F(Reconstruct, SameBytesForAnyNumberOfThreads) {
    simulate("--matrix 22 --coils 3");
    ASSERT_EQ(reconstruct("--threads 1", "one.h5").exit_code, 0);
    ASSERT_EQ(reconstruct("--threads 2", "two.h5").exit_code, 0);
    ASSERT_EQ(reconstruct("--threads 2", "again.h5").exit_code, 0);
    EXPECT_EQ(image("one.h5"), image("two.h5"));
    EXPECT_EQ(image("two.h5"), image("again.h5"));
}

TEST_F(Reconstruct, SameBytesInPiecesUnderAMemoryLimit) {
    simulate("--matrix 160 150 --trajectory radial --coils 32");
    const auto whole = reconstruct("--prior none --iterations 4 --no-accuracy-check", "whole.h5");
    ASSERT_EQ(whole.exit_code, 0) << whole.output;
    const double forecast = record()["memory_forecast_bytes"];
    EXPECT_LE(record()["memory_booked_peak_bytes"].get<double>(), forecast);
    // The resident peak also has what reading and writing took for a moment.
    EXPECT_LT(record()["memory_peak_bytes"].get<double>(), 1.25 * forecast);
    EXPECT_GT(record()["memory_peak_bytes"].get<double>(), 0.7 * forecast);

    const std::string limit = std::to_string(static_cast<Index>(forecast - 20e6));
    const auto pieces =
        reconstruct("--prior none --iterations 4 --no-accuracy-check --memory-limit " + limit, "pieces.h5");
    ASSERT_EQ(pieces.exit_code, 0) << pieces.output;
    EXPECT_NE(pieces.output.find("coils at a time"), std::string::npos) << pieces.output;
    EXPECT_LE(record()["memory_booked_peak_bytes"].get<double>(), forecast - 20e6);
    EXPECT_EQ(image("pieces.h5"), image("whole.h5"));
}

TEST_F(Reconstruct, TheDefaultStaysWithinItsForecast) {
    for (const char* scan : {"--matrix 30 28 26 --coils 3", "--matrix 100 90 --coils 5 --trajectory radial",
                             "--matrix 97 1 1 --coils 1 --trajectory cartesian"}) {
        simulate(scan);
        for (const char* options : {"", "--prior spectrum --uncertainty samples=2", "--precision double"}) {
            const auto run = reconstruct(std::string(options) + " --no-accuracy-check");
            ASSERT_EQ(run.exit_code, 0) << run.output;
            EXPECT_LE(record()["memory_booked_peak_bytes"].get<double>(),
                      record()["memory_forecast_bytes"].get<double>())
                << scan << ' ' << options;
        }
    }
}

TEST_F(Reconstruct, EstimatesCoilMapsThatAreMissing) {
    for (const auto& [undersampling, method] : {std::pair{"0.8", "ESPIRiT"}, std::pair{"2", "nonlinear inversion"}}) {
        simulate(std::string("--matrix 32 32 --trajectory spiral --coils 4 --snr 50 --no-coil-maps --undersampling ") +
                 undersampling);
        const auto run = reconstruct("--reference " + file("truth.h5"));
        ASSERT_EQ(run.exit_code, 0) << run.output;
        EXPECT_NE(run.output.find(std::string("coil maps: ") + method), std::string::npos) << run.output;
        EXPECT_LT(record()["reference"]["nrmse_scaled"].get<double>(), 0.25);
    }
}

class EveryDimension : public Reconstruct, public ::testing::WithParamInterface<const char*> {};

TEST_P(EveryDimension, FullySampledScansGiveTheTruth) {
    simulate(std::string(GetParam()) + " --coils 2 --snr inf --undersampling 1");
    const auto run = reconstruct("--prior none --iterations 60 --reference " + file("truth.h5"));
    ASSERT_EQ(run.exit_code, 0) << run.output;
    EXPECT_LT(record()["reference"]["nrmse"].get<double>(), 0.1);  // edges of 0.6 voxels do not fit the band entirely
}

INSTANTIATE_TEST_SUITE_P(, EveryDimension,
                         ::testing::Values("--matrix 61 1 1 --trajectory cartesian",
                                           "--matrix 33 28 --trajectory radial", "--matrix 40 40 --trajectory spiral",
                                           "--matrix 18 21 15 --trajectory cartesian"));

TEST_F(Reconstruct, RegularisationAndWeightsDoWhatTheySay) {
    simulate("--matrix 24 24 --trajectory radial --coils 1 --snr 10");
    ASSERT_EQ(reconstruct("--lambda 1000", "image.h5").exit_code, 0);
    const double shrunk = test::relative_difference(image("image.h5"), image("truth.h5"));
    EXPECT_NEAR(shrunk, 1, 0.05);  // a lambda far above 1 leaves next to nothing
    const auto run = reconstruct("--weights density --voxel box --iterations 8 --reference " + file("truth.h5"));
    ASSERT_EQ(run.exit_code, 0) << run.output;
    EXPECT_LT(record()["reference"]["nrmse_scaled"].get<double>(), 0.5);
    EXPECT_LT(record()["measured_accuracy"]["normal"].get<double>(), 1e-5);
}

}  // namespace
}  // namespace recon
