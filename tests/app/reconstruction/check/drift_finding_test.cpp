// Readouts that do not see the same object: it moved, its phase turned, or its signal fell.
#include <gtest/gtest.h>

#include <cmath>

#include "app/reconstruction/check/scan_check.hpp"
#include "core/backend/cpu/cpu_backend.hpp"
#include "data/simulation/simulate_scan.hpp"

namespace recon {
namespace {

Scan scan_of(const std::string& trajectory, double snr, Index coil_count) {
    SimulationOptions options;
    options.trajectory = trajectory;
    options.request.matrix_size = trajectory == "cones" ? PerAxis<Index>{20, 20, 20} : PerAxis<Index>{64, 64, 1};
    options.request.field_of_view_mm = {256, 256, trajectory == "cones" ? 256.0 : 5.0};
    options.request.undersampling = 1;
    options.coil_count = coil_count;
    options.snr = snr;
    return simulate_scan(options).scan;
}

/// d *= change(part of the scan that is over, sample).
template <class Change>
Scan changed_in_time(Scan scan, const Change& change) {
    Frame& frame = scan.frames.front();
    const Index count = frame.sample_count(), length = scan.samples_per_readout;
    for (Index at = 0; at < std::ssize(frame.kspace); ++at) {
        const Index m = at % count;
        const double part = static_cast<double>(m / length * length) / static_cast<double>(count);
        frame.kspace[static_cast<std::size_t>(at)] *= cfloat(change(part, m));
    }
    return scan;
}

/// The text of the finding; empty: there is none.
std::string drift_of(const Scan& scan) {
    const auto backend = make_cpu_backend();
    const ScanCheck check = check_scan_physics(scan, *backend);
    for (const CheckFinding& finding : check.findings) {
        if (finding.text.find("between some quarters") != std::string::npos) {
            const bool moved = finding.text.find("moved") != std::string::npos;
            const bool turned = finding.text.find("turned") != std::string::npos;
            EXPECT_EQ(finding.kind, moved || turned ? "drift" : "cannot_tell");
            EXPECT_EQ(check.verdict, moved || turned ? CheckVerdict::doubtful : CheckVerdict::fine);
            return finding.text;
        }
    }
    return "";
}

class DriftFinding : public testing::TestWithParam<const char*> {};

TEST_P(DriftFinding, NamesAMovementOfTheObjectInMillimetres) {
    const Scan scan = scan_of(GetParam(), 40, 6);
    const Trajectory& trajectory = *scan.frames.front().trajectory;
    const double fields = 20.0 / 256;
    const std::string text = drift_of(changed_in_time(scan, [&](double part, Index m) {
        return std::polar(1.0, part < 0.5 ? 0 : -2 * pi * trajectory.k[1][m] * fields);
    }));
    const auto at = text.find("mm along y");
    ASSERT_NE(at, std::string::npos) << text;
    EXPECT_NEAR(std::stod(text.substr(text.find("moved by ") + 9)), 20, 3) << text;
    EXPECT_EQ(text.find("along x"), std::string::npos) << text;
}

TEST(DriftWithoutAFieldOfView, IsNamedInVoxels) {
    Scan scan = scan_of("spiral", 40, 6);
    scan.geometry.field_of_view_mm = {0, 0, 0};
    const Trajectory& trajectory = *scan.frames.front().trajectory;
    const std::string text = drift_of(changed_in_time(scan, [&](double part, Index m) {
        return std::polar(1.0, part < 0.5 ? 0 : -2 * pi * trajectory.k[1][m] * 5 / 64);
    }));
    EXPECT_NE(text.find("voxels along y"), std::string::npos) << text;
}

TEST_P(DriftFinding, NamesAPhaseThatTurns) {
    const std::string text = drift_of(
        changed_in_time(scan_of(GetParam(), 40, 6), [](double part, Index) { return std::polar(1.0, 1.2 * part); }));
    EXPECT_NE(text.find("phase turned by"), std::string::npos) << text;
    EXPECT_EQ(text.find("moved"), std::string::npos) << text;
}

TEST_P(DriftFinding, NamesASignalThatFalls) {
    const std::string text = drift_of(
        changed_in_time(scan_of(GetParam(), 40, 6), [](double part, Index) { return cdouble(std::exp(-part)); }));
    EXPECT_NE(text.find("signal changed to"), std::string::npos) << text;
}

TEST_P(DriftFinding, SaysNothingOfAScanThatIsAsItShouldBe) {
    for (const double snr : {5.0, 40.0, 1000.0}) {
        for (const Index coils : {1, 6}) {
            EXPECT_EQ(drift_of(scan_of(GetParam(), snr, coils)), "") << snr << ", " << coils;
        }
    }
}

/// Thirds of a turn, of which two are one the other way round.
TEST(DriftFindingOfPhases, IsOfHalfATurnAtMost) {
    for (const char* const trajectory : {"radial", "spiral"}) {
        const std::string text = drift_of(changed_in_time(scan_of(trajectory, 40, 6), [](double part, Index) {
            return std::polar(1.0, 2 * pi / 3 * std::floor(4 * part));
        }));
        const auto at = text.find("turned by ");
        ASSERT_NE(at, std::string::npos) << text;
        EXPECT_NEAR(std::stod(text.substr(at + 10)), 120, 15) << text;
    }
}

INSTANTIATE_TEST_SUITE_P(, DriftFinding, testing::Values("radial", "spiral", "cones"));

}  // namespace
}  // namespace recon
