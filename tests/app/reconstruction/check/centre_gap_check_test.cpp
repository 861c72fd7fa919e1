#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "app/reconstruction/check/scan_check.hpp"
#include "core/backend/cpu/cpu_backend.hpp"
#include "core/mri/check/dropped_samples.hpp"
#include "data/simulation/simulate_scan.hpp"

namespace recon {
namespace {

/// Of coils with maps. @param from, to  cycles per field of view between which nothing was measured
Scan with_gap(double from, double to) {
    SimulationOptions options;
    options.trajectory = "radial";
    options.request.matrix_size = {64, 64, 1};
    options.coil_count = 6;
    options.snr = 20;
    Scan scan = simulate_scan(options).scan;
    const Trajectory& trajectory = *scan.frames[0].trajectory;
    std::vector<Index> in_gap;
    for (Index m = 0; m < trajectory.sample_count(); ++m) {
        const double k = std::hypot(trajectory.k[0][m], trajectory.k[1][m]);
        if (k >= from && k < to) {
            in_gap.push_back(m);
        }
    }
    drop_samples(scan, {in_gap});
    return scan;
}

ScanCheck check_of_gap(const Scan& scan) { return check_scan_physics(scan, *make_cpu_backend()); }

bool says(const ScanCheck& check, const std::string& words) {
    return std::ranges::any_of(
        check.findings, [&](const CheckFinding& finding) { return finding.text.find(words) != std::string::npos; });
}

bool tries_shifts(const ScanCheck& check) {
    return std::ranges::any_of(check.trials,
                               [](const CheckTrial& trial) { return trial.fix.kind == ScanFix::Kind::shift; });
}

TEST(CentreGapCheck, ALargeOneIsNamed) {
    constexpr double very_centre = 0.1;  // is there
    EXPECT_FALSE(says(check_of_gap(with_gap(very_centre, 1.9)), "no sample lies around the centre"));
    EXPECT_TRUE(says(check_of_gap(with_gap(very_centre, 2.4)), "no sample lies around the centre"));
}

TEST(CentreGapCheck, MapsOfTheScansOwnCoilsAreDoubtedWithoutTheCentre) {
    const std::string doubt = "no sample lies at the centre of k-space, from which the coils' sensitivities";
    for (const auto& [from, is_named] : {std::pair{0.0, true}, std::pair{0.1, false}}) {
        Scan scan = with_gap(from, 1.6);
        EXPECT_FALSE(says(check_of_gap(scan), doubt)) << "its maps are known";
        scan.coil_maps.clear();
        EXPECT_EQ(says(check_of_gap(scan), doubt), is_named) << from;
    }
}

TEST(CentreGapCheck, LinesThatTellNoCoilsAreNamedWhereTheirMapsAreEstimated) {
    const std::string doubt = "that the object comes again beside itself";
    for (const auto& [trajectory, is_named] : {std::pair{"cartesian", true}, std::pair{"spiral", false}}) {
        SimulationOptions options;
        options.trajectory = trajectory;
        options.request.matrix_size = {64, 64, 1};
        options.request.undersampling = 2;
        options.coil_count = 6;
        options.snr = 20;
        Scan scan = simulate_scan(options).scan;
        EXPECT_FALSE(says(check_of_gap(scan), doubt)) << "its maps are known";
        scan.coil_maps.clear();
        EXPECT_EQ(says(check_of_gap(scan), doubt), is_named) << trajectory;
        scan.calibration = scan.frames;
        EXPECT_FALSE(says(check_of_gap(scan), doubt)) << "they come from another measurement";
    }
}

/// Low frequencies fit with a shift, too.
TEST(CentreGapCheck, NoShiftOfSamplesIsSeenAcrossIt) {
    EXPECT_FALSE(tries_shifts(check_of_gap(with_gap(0, 1.6))));
    Scan late = with_gap(0, 0);
    ScanFix one_late;
    one_late.kind = ScanFix::Kind::shift;
    one_late.samples = 1;
    apply(one_late, late);
    EXPECT_TRUE(tries_shifts(check_of_gap(late)));
}

}  // namespace
}  // namespace recon
