#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "app/reconstruction/check/scan_check.hpp"
#include "core/backend/cpu/cpu_backend.hpp"
#include "data/simulation/simulate_scan.hpp"

namespace recon {
namespace {

Scan with_noise_scan() {
    SimulationOptions options;
    options.trajectory = "radial";
    options.request.matrix_size = {64, 64, 1};
    options.coil_count = 6;
    options.noise_sample_count = 2000;
    options.snr = 20;
    return simulate_scan(options).scan;
}

ScanCheck check_noise_of(const Scan& scan) { return check_scan_physics(scan, *make_cpu_backend()); }

std::string findings_of(const ScanCheck& check) {
    std::string text;
    for (const CheckFinding& finding : check.findings) {
        text += finding.kind + ": " + finding.text + "\n";
    }
    return text;
}

/// Of another receiver gain than the scan.
TEST(NoiseScanCheck, MoreNoiseThanTheScanHoldsIsNamed) {
    for (const auto& [gain, is_a_mistake] : {std::pair{1.0F, false}, std::pair{3.0F, true}, std::pair{1e6F, true}}) {
        Scan scan = with_noise_scan();
        for (cfloat& value : scan.noise) {
            value *= gain;
        }
        const ScanCheck result = check_noise_of(scan);
        EXPECT_EQ(findings_of(result).find("noise_scan") != std::string::npos, is_a_mistake)
            << gain << findings_of(result);
        EXPECT_GT(result.noise / result.residual, 0.85);
        EXPECT_LT(result.noise / result.residual, 1.1) << "that of the scan";
    }
}

/// What the coils cannot be whitened by; the level is believed.
TEST(NoiseScanCheck, FewSamplesAndCoilsThatCopyOthersAreNamed) {
    Scan scan = with_noise_scan();
    std::copy_n(scan.noise.begin(), 2000, scan.noise.begin() + 2000);
    EXPECT_NE(findings_of(check_noise_of(scan)).find("noise_scan: the noise covariance is singular"),
              std::string::npos);
    scan.noise.resize(std::size_t{11} * 6);
    const ScanCheck result = check_noise_of(scan);
    EXPECT_NE(findings_of(result).find("noise_scan: 11 samples of noise"), std::string::npos) << findings_of(result);
    EXPECT_NEAR(result.noise / result.residual, 1, 0.2);
}

/// Of all coils, or of one that measures.
TEST(NoiseScanCheck, ZerosAreNamed) {
    for (const Index coil_count : {1, 6}) {
        Scan scan = with_noise_scan();
        std::fill_n(scan.noise.begin(), coil_count * std::ssize(scan.noise) / scan.coil_count, cfloat(0));
        const ScanCheck result = check_noise_of(scan);
        const std::string expected = coil_count == 1 ? "noise acquisitions of coil 0 are zero"
                                                     : "noise acquisitions of coils 0, 1, 2, 3, 4, 5 are zero";
        EXPECT_NE(findings_of(result).find(expected), std::string::npos) << findings_of(result);
        EXPECT_GT(result.noise / result.residual, 0.85);
        EXPECT_LT(result.noise / result.residual, 1.1) << "that of the scan";
    }
}

}  // namespace
}  // namespace recon
