// Positions that are wrong by a few percent, or by one readout: what the image alone would not show.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "app/reconstruction/check/scan_check.hpp"
#include "core/backend/cpu/cpu_backend.hpp"
#include "core/mri/check/scan_fix.hpp"
#include "data/simulation/simulate_scan.hpp"

namespace recon {
namespace {

Scan scan_with_positions(const std::string& trajectory, double snr, std::uint64_t seed = 1) {
    SimulationOptions options;
    options.trajectory = trajectory;
    options.request.matrix_size = trajectory == "cones" ? PerAxis<Index>{24, 24, 24} : PerAxis<Index>{64, 64, 1};
    options.coil_count = 6;
    options.snr = snr;
    options.seed = seed;
    return simulate_scan(options).scan;
}

/// The fixes or texts of findings that are doubts.
struct Doubts {
    CheckVerdict verdict;
    std::string fixes, texts;
};

Doubts doubts_of(const Scan& scan) {
    const auto backend = make_cpu_backend();
    const ScanCheck check = check_scan_physics(scan, *backend);
    Doubts doubts{check.verdict, "", ""};
    for (const CheckFinding& finding : check.findings) {
        if (finding.kind != "cannot_tell") {
            doubts.fixes += finding.fix;
            doubts.texts += finding.text;
        }
    }
    return doubts;
}

Scan with_mistake(Scan scan, const std::string& fix) {
    for (const ScanFix& one : parse_scan_fixes(fix)) {
        apply(one, scan);
    }
    return scan;
}

/// The factor of a fix such as "scale=x:0.909".
double factor_of(const std::string& fix, const std::string& name) {
    EXPECT_TRUE(fix.starts_with(name)) << fix;
    return fix.starts_with(name) ? parse_scan_fixes(fix).front().factor : 0;
}

class Positions : public testing::TestWithParam<std::tuple<const char*, double>> {};

TEST_P(Positions, OfAnotherScaleAlongOneAxisAreNamedWithTheirFactor) {
    const auto [trajectory, snr] = GetParam();
    const Scan right = scan_with_positions(trajectory, snr);
    for (const double factor : {1.1, 0.9, 1.15}) {
        const Doubts found = doubts_of(with_mistake(right, "scale=x:" + std::to_string(factor)));
        EXPECT_EQ(found.verdict, CheckVerdict::doubtful) << factor;
        EXPECT_NEAR(factor_of(found.fixes, "scale=x:") * factor, 1, 0.02) << found.texts;
    }
}

TEST_P(Positions, OfAnotherScaleAreNamedWithTheirFactor) {
    const auto [trajectory, snr] = GetParam();
    const Doubts found = doubts_of(with_mistake(scan_with_positions(trajectory, snr), "scale=1.1"));
    EXPECT_EQ(found.verdict, CheckVerdict::doubtful);
    EXPECT_NEAR(factor_of(found.fixes, "scale=") * 1.1, 1, 0.02) << found.texts;
}

TEST_P(Positions, ThatAreRightAreNoDoubt) {
    const auto [trajectory, snr] = GetParam();
    for (const std::uint64_t seed : {1, 2, 3}) {
        const Doubts found = doubts_of(scan_with_positions(trajectory, snr, seed));
        EXPECT_EQ(found.verdict, CheckVerdict::fine) << found.texts;
    }
}

INSTANTIATE_TEST_SUITE_P(, Positions,
                         testing::Combine(testing::Values("radial", "spiral", "cones"), testing::Values(10.0, 60.0)),
                         [](const auto& info) {
                             return std::string(std::get<0>(info.param)) + "_snr_" +
                                    std::to_string(static_cast<int>(std::get<1>(info.param)));
                         });

TEST(StretchedReadouts, AreNamedWithTheirFactor) {
    const Doubts found = doubts_of(with_mistake(scan_with_positions("spiral", 40), "stretch=1.05"));
    EXPECT_EQ(found.verdict, CheckVerdict::doubtful);
    EXPECT_NEAR(factor_of(found.fixes, "stretch=") * 1.05, 1, 0.01) << found.texts;
}

/// K-space without readout `missing`, the last one repeated; with -1 the first is there twice.
Scan with_readouts_moved(Scan scan, Index missing) {
    Frame& frame = scan.frames.front();
    const Index length = scan.samples_per_readout, count = frame.sample_count();
    for (Index coil = 0; coil < scan.coil_count; ++coil) {
        const auto first = frame.kspace.begin() + coil * count, last = first + count;
        if (missing >= 0) {
            std::copy(first + (missing + 1) * length, last, first + missing * length);
        } else {
            std::copy_backward(first, last - length, last);
        }
    }
    return scan;
}

TEST(MovedReadouts, AreNamedWithTheFirst) {
    for (const char* trajectory : {"golden-radial", "radial", "spiral"}) {
        const Scan right = scan_with_positions(trajectory, 50);
        const Index readouts = right.frames.front().sample_count() / right.samples_per_readout;
        // The end of uniform angles is turned by one of them, and nearly fits.
        const Index late = std::string(trajectory) == "radial" ? 2 * readouts / 3 : readouts - 5;
        for (const Index missing : {readouts / 3, Index{0}, late}) {
            const Doubts found = doubts_of(with_readouts_moved(right, missing));
            EXPECT_EQ(found.verdict, CheckVerdict::doubtful) << trajectory << " " << missing;
            EXPECT_NE(found.texts.find("a readout is missing"), std::string::npos) << trajectory << found.texts;
            EXPECT_NE(found.texts.find(": from number " + std::to_string(missing)), std::string::npos)
                << trajectory << missing << found.texts;
        }
    }
    // Without coil maps nothing tells that all are turned: a first readout of another brightness is none that is there
    // twice.
    Scan brighter = scan_with_positions("golden-radial", 50);
    const Index length = brighter.samples_per_readout, count = brighter.frames.front().sample_count();
    for (Index coil = 0; coil < brighter.coil_count; ++coil) {
        for (Index m = 0; m < length; ++m) {
            brighter.frames.front().kspace[coil * count + m] *= 1.4F;
        }
    }
    brighter.coil_maps.clear();
    EXPECT_EQ(doubts_of(brighter).texts.find("from number 0"), std::string::npos) << doubts_of(brighter).texts;
    // With it in its place, no more may be left than the noise.
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        const Scan right = scan_with_positions("golden-radial", 10, seed);
        const Index middle = right.frames.front().sample_count() / right.samples_per_readout / 2;
        const Doubts found = doubts_of(with_readouts_moved(right, middle));
        EXPECT_NE(found.texts.find("a readout is missing"), std::string::npos) << seed << found.texts;
    }
    // A turn by the angle between readouts looks like maps in another order, which explain less.
    const Doubts twice = doubts_of(with_readouts_moved(scan_with_positions("golden-radial", 50), -1));
    EXPECT_NE(twice.texts.find("there twice"), std::string::npos) << twice.texts;
}

}  // namespace
}  // namespace recon
