#include "app/reconstruction/check/coils/odd_coil.hpp"

#include <gtest/gtest.h>

#include "app/reconstruction/check/scan_check.hpp"
#include "core/backend/cpu/cpu_backend.hpp"
#include "data/simulation/simulate_scan.hpp"
#include "tests/support/scans/coil_gain.hpp"

namespace recon {
namespace {

std::string findings_with_map(Index odd, float factor, Index coils, const std::string& trajectory) {
    SimulationOptions options;
    options.trajectory = trajectory;
    options.request.matrix_size = {48, 48, 1};
    options.coil_count = coils;
    Scan scan = simulate_scan(options).scan;
    for (Index i = 48 * 48 * odd; i < 48 * 48 * (odd + 1); ++i) {
        scan.coil_maps[static_cast<std::size_t>(i)] *= factor;
    }
    std::string text;
    for (const CheckFinding& finding : check_scan_physics(scan, *make_cpu_backend()).findings) {
        text += finding.kind + "[" + finding.fix + "] " + finding.text + "\n";
    }
    return text;
}

TEST(OddCoil, IsTheOneWithoutWhichTheOthersFit) {
    for (const std::string trajectory : {"spiral", "radial"}) {
        for (const Index coils : {4, 8}) {
            const std::string text = findings_with_map(1, -1, coils, trajectory);
            EXPECT_NE(text.find("coil_maps[] coil 1 does not fit the others"), std::string::npos)
                << trajectory << " " << coils << "\n"
                << text;
            EXPECT_EQ(text.find("backwards"), std::string::npos) << text;
            EXPECT_EQ(findings_with_map(1, 1, coils, trajectory).find("coil_maps"), std::string::npos);
        }
    }
}

/// Its map says so: there is nothing odd about it, nor about the others, which it drowns in a fit.
TEST(OddCoil, IsNoneOfAnotherGain) {
    for (const float gain : {10.0F, 100.0F}) {
        SimulationOptions options;
        options.trajectory = "spiral";
        options.request.matrix_size = {64, 64, 1};
        options.coil_count = 6;
        options.snr = 20;
        Scan scan = simulate_scan(options).scan;
        test::multiply_coil(scan, 2, gain);
        const ScanCheck check = check_scan_physics(scan, *make_cpu_backend());
        EXPECT_EQ(check.verdict, CheckVerdict::fine) << gain << ": " << check.findings.front().text;
    }
}

}  // namespace
}  // namespace recon
