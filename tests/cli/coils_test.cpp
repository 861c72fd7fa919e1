// Coil maps, compression and noise as a user asks for them, against simulated scans whose maps and images are known.
#include <gtest/gtest.h>

#include "core/mri/metrics/image_metrics.hpp"
#include "data/files/hdf5_file.hpp"
#include "data/formats/recon_h5/recon_hdf5_writer.hpp"
#include "data/reading/scan_reader.hpp"
#include "tests/support/program.hpp"
#include "tests/support/random.hpp"
#include "tests/support/temporary_folder.hpp"

namespace recon {
namespace {

class Coils : public ::testing::Test {
protected:
    static constexpr Index n = 64;
    static constexpr Index coil_count = 8;

    std::string file(const std::string& name) const { return (folder_ / name); }
    void simulate(const std::string& options, const std::string& sampling = "--trajectory radial --undersampling 2") {
        const auto run = test::run_recon("simulate --matrix 64 64 --coils 8 " + sampling + " --out " + file("scan.h5") +
                                         " --truth " + file("truth.h5") + " " + options);
        ASSERT_EQ(run.exit_code, 0) << run.output;
    }
    std::string reconstruct(const std::string& options, const std::string& image = "image.h5", int exit_code = 0) {
        const auto run =
            test::run_recon("--device cpu --prior none --iterations 12 --no-accuracy-check --scan " + file("scan.h5") +
                            " --out " + file(image) + " --json " + file("run.json") + " " + options);
        EXPECT_EQ(run.exit_code, exit_code) << run.output;
        return run.output;
    }
    std::vector<cdouble> read(const std::string& name, const std::string& dataset = "/image") const {
        return H5File::open(file(name)).read<cdouble>(dataset);
    }
    /// Of magnitudes: phases depend on the reference of the maps.
    double error(const std::string& name) const {
        std::vector<cfloat> image;
        std::vector<cfloat> truth;
        for (const cdouble value : read(name)) {
            image.emplace_back(static_cast<float>(std::abs(value)));
        }
        for (const cdouble value : read("truth.h5")) {
            truth.emplace_back(static_cast<float>(std::abs(value)));
        }
        return compare_images(image, truth, {n, n, 1}).nrmse_scaled;
    }

    test::TemporaryFolder folder_;
};

TEST_F(Coils, EstimatedMapsGiveNearlyTheImageOfTheTrueOnes) {
    simulate("--snr 30");
    EXPECT_NE(reconstruct("", "true.h5").find("coil maps: those of "), std::string::npos);
    EXPECT_NE(reconstruct("--coil-maps espirit", "espirit.h5").find("coil maps: ESPIRiT"), std::string::npos);
    EXPECT_NE(reconstruct("--coil-maps walsh", "walsh.h5").find("coil maps: Walsh"), std::string::npos);
    EXPECT_LT(error("espirit.h5"), 1.1 * error("true.h5"));
    EXPECT_LT(error("walsh.h5"), 1.7 * error("true.h5"));  // 1.56: its shading, beside an error of 2.4 %
    EXPECT_FALSE(H5File::open(file("true.h5")).has_dataset("/coil_maps"));  // those are in the scan
}

TEST_F(Coils, MapsFromACentreWithGapsAreWarnedOf) {
    simulate("--snr 30 --no-coil-maps");
    EXPECT_EQ(reconstruct("").find("of the centre of k-space is measured"), std::string::npos);
    simulate("--snr 30 --no-coil-maps", "--trajectory cartesian --undersampling 3");
    EXPECT_NE(reconstruct("").find("of the centre of k-space is measured"), std::string::npos);
}

TEST_F(Coils, EspiritIsTheDefaultAndItsMapsCanBeReadBack) {
    simulate("--snr 30 --no-coil-maps --noise-samples 500");
    for (const std::string options : {"", "--coils 5", "--no-prewhitening"}) {
        EXPECT_NE(reconstruct(options, "first.h5").find("coil maps: ESPIRiT"), std::string::npos);
        const H5File first = H5File::open(file("first.h5"));
        EXPECT_EQ(first.dataset_info("/coil_maps").text(), "complex64 [8, 1, 64, 64]");
        EXPECT_EQ(first.read_attribute<std::string>("/coil_maps", "axes"),
                  (std::vector<std::string>{"coil", "z", "y", "x"}));
        EXPECT_EQ(reconstruct(options + " --coil-maps " + file("first.h5"), "again.h5").find("ESPIRiT"),
                  std::string::npos);
        // rounding of the maps to single precision, through whitening and compression and back
        EXPECT_LT(test::relative_difference(read("again.h5"), read("first.h5")), 1e-3) << options;
    }
}

TEST_F(Coils, FewerVirtualCoilsGiveNearlyTheSameImage) {
    simulate("--snr 30");
    reconstruct("", "all.h5");
    EXPECT_FALSE(test::read_json(file("run.json")).contains("virtual_coils"));
    EXPECT_NE(reconstruct("--coils 6", "six.h5").find("8 compressed to 6"), std::string::npos);
    EXPECT_EQ(test::read_json(file("run.json"))["virtual_coils"], 6);
    EXPECT_EQ(test::read_json(file("run.json"))["coil_count"], 8);
    EXPECT_LT(test::relative_difference(read("six.h5"), read("all.h5")), 0.1);
    reconstruct("--coil-energy 1", "whole.h5");  // turned in coil space, nothing left out
    EXPECT_LT(test::relative_difference(read("whole.h5"), read("all.h5")), 1e-3);
}

TEST_F(Coils, ANoiseCovarianceDoesWhatItsNoiseScanDoes) {
    simulate("--snr 10 --noise-samples 2000");
    reconstruct("", "noise.h5");
    const H5File scan = H5File::open(file("scan.h5"));
    const std::vector<cdouble> noise = scan.read<cdouble>("/noise");
    std::vector<cdouble> covariance(coil_count * coil_count);  // [c, c'], c' fastest
    for (Index c = 0; c < coil_count; ++c) {
        for (Index c2 = 0; c2 < coil_count; ++c2) {
            for (Index i = 0; i < 2000; ++i) {
                covariance[c * coil_count + c2] += noise[c * 2000 + i] * std::conj(noise[c2 * 2000 + i]);
            }
        }
    }
    H5File psi = H5File::create(file("psi.h5"));
    psi.write("/noise_covariance", {coil_count, coil_count}, covariance);
    psi.close();
    reconstruct("--noise-covariance " + file("psi.h5"), "covariance.h5");
    EXPECT_LT(test::relative_difference(read("covariance.h5"), read("noise.h5")), 1e-5);
    reconstruct("--no-prewhitening", "neither.h5");
    EXPECT_GT(test::relative_difference(read("neither.h5"), read("noise.h5")), 1e-4);
}

/// Such acquisitions say how the coils differ, and nothing of the level.
TEST_F(Coils, ANoiseScanOfAnotherGainChangesNoImage) {
    simulate("--snr 20 --noise-samples 2000");
    const std::string options = "--device cpu --scan " + file("scan.h5") + " --out ";
    const auto right = test::run_recon(options + file("right.h5"));
    EXPECT_EQ(right.output.find("another gain"), std::string::npos) << right.output;
    Scan scan = read_scan(file("scan.h5"));
    for (cfloat& value : scan.noise) {
        value *= 1000.0F;
    }
    write_scan(scan, file("scan.h5"));
    const auto other = test::run_recon(options + file("other.h5"));
    EXPECT_EQ(other.exit_code, 0) << other.output;
    EXPECT_NE(other.output.find("another gain, unit or number of averages; the level is found in the scan"),
              std::string::npos)
        << other.output;
    EXPECT_LT(test::relative_difference(read("other.h5"), read("right.h5")), 2e-3);
}

/// It is said, and the image is that of the scan without them.
TEST_F(Coils, NoiseScansOfZerosAreLeftOut) {
    simulate("--snr 20 --noise-samples 2000");
    const std::string options = "--device cpu --scan " + file("scan.h5") + " --out ";
    Scan scan = read_scan(file("scan.h5"));
    std::fill_n(scan.noise.begin() + 2000, 2000, cfloat(0));
    write_scan(scan, file("scan.h5"));
    const auto of_zeros = test::run_recon(options + file("of_zeros.h5"));
    EXPECT_EQ(of_zeros.exit_code, 0) << of_zeros.output;
    EXPECT_NE(of_zeros.output.find("the noise acquisitions of coil 1 are zero throughout"), std::string::npos)
        << of_zeros.output;
    scan.noise.clear();
    write_scan(scan, file("scan.h5"));
    EXPECT_EQ(test::run_recon(options + file("without.h5")).exit_code, 0);
    EXPECT_EQ(read("of_zeros.h5"), read("without.h5"));
}

/// The image is that of --no-prewhitening, with a line, and the check names it beforehand.
TEST_F(Coils, NoiseScansThatTellNoCovarianceDoNotWhiten) {
    simulate("--snr 20 --noise-samples 2000");
    const std::string options = "--device cpu --scan " + file("scan.h5") + " --out ";
    Scan scan = read_scan(file("scan.h5"));
    std::copy_n(scan.noise.begin(), 2000, scan.noise.begin() + 2000);
    write_scan(scan, file("scan.h5"));
    const auto of_copies = test::run_recon(options + file("of_copies.h5"));
    EXPECT_EQ(of_copies.exit_code, 0) << of_copies.output;
    EXPECT_NE(
        of_copies.output.find("singular (a silent coil, or one that copies others): the coils are not prewhitened"),
        std::string::npos)
        << of_copies.output;
    EXPECT_EQ(test::run_recon(options + file("without.h5") + " --no-prewhitening").exit_code, 0);
    EXPECT_EQ(read("of_copies.h5"), read("without.h5"));
    EXPECT_NE(test::run_recon("check " + file("scan.h5")).output.find("does not prewhiten the coils"),
              std::string::npos);
}

TEST_F(Coils, OptionsOfEstimatedMapsAreNamedWhereNoneAreEstimated) {
    simulate("--snr 30");
    EXPECT_NE(reconstruct("--calibration-radius 6").find("--calibration-radius is of coil maps that are estimated"),
              std::string::npos);
    EXPECT_EQ(reconstruct("--calibration-radius 6 --coil-maps espirit").find("it changes nothing"), std::string::npos);
}

TEST_F(Coils, ABodyCoilImageGivesItsScaleAndPhase) {
    simulate("--snr 50 --no-coil-maps");
    reconstruct("--body-coil " + file("truth.h5"));
    const std::vector<cdouble> image = read("image.h5");
    const std::vector<cdouble> truth = read("truth.h5");
    EXPECT_LT(test::relative_difference(image, truth), 0.25);  // no scale is fitted
}

TEST_F(Coils, WrongInputsAreRefused) {
    simulate("--snr 30");
    const auto refused = [&](const std::string& options, int exit_code, const std::string& part) {
        const std::string output = reconstruct(options, "none.h5", exit_code);
        EXPECT_NE(output.find(part), std::string::npos) << output;
    };
    refused("--coil-maps nothing.h5", 3, "none of espirit, walsh and nlinv");
    refused("--coils 9", 2, "the scan has 8");
    refused("--coils 4 --coil-energy 0.9", 2, "--coil");
    refused("--coil-energy 2", 2, "--coil-energy");
    refused("--coils 0", 2, "--coils");
    refused("--coil-maps walsh --body-coil " + file("truth.h5"), 2, "--body-coil");
    refused("--noise-covariance " + file("truth.h5"), 3, "noise covariance");
    refused("--body-coil " + file("absent.h5"), 3, "absent.h5");
}

}  // namespace
}  // namespace recon
