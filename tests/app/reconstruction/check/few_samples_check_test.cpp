// The check of scans that have hardly more samples than voxels, or fewer.
#include <gtest/gtest.h>

#include "app/reconstruction/check/scan_check.hpp"
#include "core/backend/cpu/cpu_backend.hpp"
#include "data/simulation/simulate_scan.hpp"

namespace recon {
namespace {

ScanCheck check_of(const Scan& scan) {
    const auto backend = make_cpu_backend();
    return check_scan_physics(scan, *backend);
}

std::string fix_in(const ScanCheck& check) {
    for (const CheckFinding& finding : check.findings) {
        if (!finding.fix.empty()) {
            return finding.fix;
        }
    }
    return "";
}

/// Fewer samples a voxel than four, of the eight strongest coils together.
TEST(CheckOfFewSamples, NamesMistakesWhereCoilsMakeUpForThem) {
    SimulationOptions options;
    options.trajectory = "cartesian";
    options.request.matrix_size = {64, 64, 1};
    options.coil_count = 16;
    options.snr = 20;
    for (const double undersampling : {3.0, 4.0}) {
        options.request.undersampling = undersampling;
        const Scan right = simulate_scan(options).scan;
        EXPECT_EQ(check_of(right).verdict, CheckVerdict::fine);
        for (const std::string made : {"conjugate", "maps-conjugate"}) {
            Scan wrong = right;
            apply(parse_scan_fixes(made).front(), wrong);
            const ScanCheck result = check_of(wrong);
            EXPECT_EQ(fix_in(result), made);
        }
    }
}

/// Samples that are hardly more than the voxels are explained by any image, of a wrong reading as well.
TEST(CheckOfFewSamples, DoubtsNothingThatAnyImageExplains) {
    SimulationOptions options;
    options.trajectory = "cartesian";
    options.request.matrix_size = {48, 48, 1};
    for (const auto& [coils, undersampling] : {std::pair<Index, double>{1, 1.5}, {1, 3}, {2, 3}, {2, 4}}) {
        options.coil_count = coils;
        options.request.undersampling = undersampling;
        for (const std::string phantom : {"brain", "tissue", "sodium"}) {
            options.phantom = phantom;
            const ScanCheck result = check_of(simulate_scan(options).scan);
            EXPECT_EQ(result.verdict, CheckVerdict::fine);
        }
    }
}

/// A place off along lines is a phase of the image; what edges of the band make of it, beside sharp texture, is no
/// reason to move them.
TEST(CheckOfFewSamples, MovesNoCartesianLines) {
    SimulationOptions options;
    options.trajectory = "cartesian";
    options.phantom = "tissue";
    options.request.matrix_size = {63, 63, 1};
    options.snr = 100;
    options.seed = 797;
    options.edge_voxels = 0;
    const ScanCheck result = check_of(simulate_scan(options).scan);
    EXPECT_EQ(fix_in(result), "");
}

}  // namespace
}  // namespace recon
