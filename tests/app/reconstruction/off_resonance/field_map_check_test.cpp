// The check must tell a wrong sign from a right one on scans of every kind of readout, and stay silent on right ones.
#include "app/reconstruction/off_resonance/field_map_check.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "app/reconstruction/off_resonance/off_resonance_preparation.hpp"
#include "data/reading/scan_reader.hpp"
#include "data/simulation/simulate_scan.hpp"
#include "tests/support/backends.hpp"
#include "tests/support/shared_data.hpp"

namespace recon {
namespace {

class FieldMapCheck : public test::EveryBackend {
protected:
    FieldMapVerdict verdict(Scan& scan, double factor) {
        std::vector<float> given = scan.off_resonance_hz;
        for (float& value : scan.off_resonance_hz) {
            value *= static_cast<float>(factor);
        }
        FieldMapVerdict result = check_field_map(scan, *backend_);
        scan.off_resonance_hz = std::move(given);
        return result;
    }
};

struct Readout {
    const char* trajectory;
    PerAxis<Index> matrix_size;
    double largest_hz;
    double snr;
    Index coil_count;
    double undersampling;
    Index interleaves = 4;
    double dwell_time_s = 10e-6;
};

Scan simulated(const Readout& readout) {
    SimulationOptions options;
    options.trajectory = readout.trajectory;
    options.request.matrix_size = readout.matrix_size;
    options.request.undersampling = readout.undersampling;
    options.request.dwell_time_s = readout.dwell_time_s;
    if (std::string(readout.trajectory) == "spiral") {
        options.request.interleaves = readout.interleaves;
    }
    options.coil_count = readout.coil_count;
    options.snr = readout.snr;
    options.off_resonance = {readout.largest_hz, 0};
    return simulate_scan(options).scan;
}

TEST_P(FieldMapCheck, WhereTheSignMakesNoDifferenceThatIsSaid) {
    Scan shorter = simulated({"spiral", {64, 64, 1}, 20, 20, 8, 1});
    EXPECT_FALSE(verdict(shorter, 1).sign_is_told);
    EXPECT_FALSE(verdict(shorter, -1).sign_is_told);
    Scan longer = simulated({"spiral", {64, 64, 1}, 300, 20, 8, 1});
    EXPECT_TRUE(verdict(longer, 1).sign_is_told);
    EXPECT_TRUE(verdict(longer, -1).sign_is_told);
}

/// Neither sign is told of lines whose samples come one after the other along x: it would be noise, or the object.
TEST_P(FieldMapCheck, OfCartesianScansSaysNothing) {
    for (const double undersampling : {1, 2}) {
        Scan scan = simulated({"cartesian", {64, 64, 1}, 200, 50, 8, undersampling});
        for (const double sign : {1, -1}) {
            const FieldMapVerdict said = verdict(scan, sign);
            EXPECT_GT(said.times_along_k, 0.99);
            EXPECT_TRUE(said.trials.empty());
            EXPECT_EQ(said.warning, "");
            EXPECT_FALSE(said.is_unlikely || said.sign_is_told);
        }
    }
    Scan spiral = simulated({"spiral", {64, 64, 1}, 200, 50, 8, 1});
    EXPECT_LT(verdict(spiral, 1).times_along_k, 0.5);
}

/// Several turns of phase gather the energy of a wrong image, which is then the sharper one.
TEST_P(FieldMapCheck, ARightMapOfManyTurnsIsNotUnlikely) {
    for (const double hz : {200, 300, 400}) {
        Scan scan = simulated({"spiral", {64, 64, 1}, hz, 20, 4, 1, 2});
        EXPECT_FALSE(verdict(scan, 1).is_unlikely) << hz;
    }
}

TEST_P(FieldMapCheck, TheOppositeSignIsNoticedAndTheRightOneIsNot) {
    const Readout readouts[] = {{"spiral", {64, 64, 1}, 150, 20, 1, 1},
                                {"spiral", {64, 48, 1}, 300, 10, 4, 1},
                                {"radial", {48, 48, 1}, 400, 20, 2, 1}};
    for (const Readout& readout : readouts) {
        Scan scan = simulated(readout);
        EXPECT_EQ(verdict(scan, 1).warning, "") << readout.trajectory << ", coils " << readout.coil_count;
        EXPECT_NE(verdict(scan, -1).warning.find("its sign looks wrong"), std::string::npos) << readout.trajectory;
    }
}

TEST_P(FieldMapCheck, ShortReadoutsAndNoiseRaiseNoFalseAlarm) {
    const Readout readouts[] = {{"spiral", {48, 48, 1}, 10, 20, 1, 1},   // hardly any phase
                                {"spiral", {64, 64, 1}, 150, 1, 1, 1},   // noise
                                {"spiral", {64, 64, 1}, 150, 10, 8, 4},  // undersampled
                                {"radial", {32, 32, 1}, 100, 5, 4, 3}};
    for (const Readout& readout : readouts) {
        Scan scan = simulated(readout);
        EXPECT_EQ(verdict(scan, 1).warning, "") << readout.trajectory << " " << readout.snr;
    }
}

/// After few iterations edges are as blurred as without the map, and more energy is left.
TEST_P(FieldMapCheck, ARightMapOfALongReadoutIsNotDoubted) {
    Scan scan = simulated({"spiral", {64, 64, 1}, 200, 25, 8, 1, 1});
    EXPECT_EQ(verdict(scan, 1).warning, "");
    EXPECT_NE(verdict(scan, -1).warning, "");
}

/// Radials of 31 ms: maps that are found in the echo have the field's phase in them, and fit without the map.
TEST_P(FieldMapCheck, MapsOfTheScanShowThatAFieldMapIsRight) {
    Scan scan = simulated({"radial", {64, 64, 1}, 200, 50, 4, 1, 1, 240e-6});
    const FieldMapVerdict right = verdict(scan, 1);
    EXPECT_EQ(right.warning, "");
    EXPECT_LT(right.trials[as_given].residual,
              0.1);  // .036; .24 with maps from the echo, and .23 without the field map
    EXPECT_NE(verdict(scan, -1).warning, "");
}

TEST_P(FieldMapCheck, RadiansPerSecondAreNoticed) {
    Scan scan = simulated({"spiral", {64, 64, 1}, 150, 20, 2, 1});
    EXPECT_NE(verdict(scan, 2 * pi).warning.find("rad/s"), std::string::npos);
}

TEST_P(FieldMapCheck, TheSharedSpiralScanShowsItsSign) {
    const auto path = shared_data_folder() / "mrd/spiral-fieldmap.h5";
    if (!std::filesystem::exists(path)) {
        GTEST_SKIP() << "no shared scans at " << shared_data_folder() << "; set RECON_SHARED_DATA";
    }
    ScanReadOptions options;
    options.field_map_name = "fieldmap_extrapolated";
    Scan scan = read_scan(path.string(), options);
    EXPECT_EQ(verdict(scan, 1).warning, "");
    EXPECT_FALSE(verdict(scan, 1).is_unlikely);
    EXPECT_NE(verdict(scan, -1).warning.find("its sign looks wrong"), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(, FieldMapCheck, test::every_backend(), test::backend_name);

}  // namespace
}  // namespace recon
