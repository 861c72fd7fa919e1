#include "app/reconstruction/check/scan_check.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/backend/cpu/cpu_backend.hpp"
#include "core/mri/gradients/gradient_delays.hpp"
#include "data/simulation/simulate_scan.hpp"

namespace recon {
namespace {

Scan simulated(const std::string& trajectory, double snr, std::uint64_t seed = 1, Index coil_count = 6,
               Index noise_samples = 0) {
    SimulationOptions options;
    options.trajectory = trajectory;
    const bool is_volume = trajectory == "cones";
    options.request.matrix_size = is_volume ? PerAxis<Index>{20, 20, 20} : PerAxis<Index>{64, 64, 1};
    options.coil_count = coil_count;
    options.noise_sample_count = noise_samples;
    options.snr = snr;
    options.seed = seed;
    return simulate_scan(options).scan;
}

ScanCheck check(const Scan& scan) {
    const auto backend = make_cpu_backend();
    return check_scan_physics(scan, *backend);
}

std::string findings_text(const ScanCheck& check) {
    std::string text;
    for (const CheckFinding& finding : check.findings) {
        text += finding.kind + ": " + finding.text + " [" + finding.fix + "]\n";
    }
    return text;
}

bool mentions(const ScanCheck& check, const std::string& fix) {
    return std::any_of(check.findings.begin(), check.findings.end(), [&](const CheckFinding& finding) {
        return finding.kind != "cannot_tell" &&
               (finding.fix == fix || finding.text.find("(" + fix + ")") != std::string::npos);
    });
}

struct Mistake {
    std::string made;   ///< as a fix of a scan that was right
    std::string mends;  ///< what must be found
};

const std::vector<Mistake> mistakes{{"conjugate", "conjugate"},
                                    {"mirror=x", "mirror=x"},
                                    {"mirror=y", "mirror=y"},
                                    {"mirror=xy", "mirror=xy"},
                                    {"swap=xy", "swap=xy"},
                                    {"reverse=all", "reverse=all"},
                                    {"reverse=alternate", "reverse=alternate"},
                                    {"scale=0.5", "scale=2"},
                                    {"scale=2", "scale=0.5"},
                                    {"scale=0.159155", "scale=6.28319"},
                                    {"maps-conjugate", "maps-conjugate"},
                                    {"maps-mirror=x", "maps-mirror=x"},
                                    {"maps-order=1-0-2-3-4-5", "maps-order=1-0-2-3-4-5"},
                                    {"maps-order=1-2-3-4-5-0", "maps-order=5-0-1-2-3-4"},
                                    {"maps-order=5-4-3-2-1-0", "maps-order=5-4-3-2-1-0"},
                                    {"maps-order=2-3-4-5-0-1", "maps-order=4-5-0-1-2-3"}};

class UsualMistakes : public testing::TestWithParam<std::tuple<const char*, double>> {};

TEST_P(UsualMistakes, AreNamedWithWhatMendsThem) {
    const auto [trajectory, snr] = GetParam();
    const Scan right = simulated(trajectory, snr);
    for (const Mistake& mistake : mistakes) {
        Scan wrong = right;
        apply(parse_scan_fixes(mistake.made).front(), wrong);
        const ScanCheck result = check(wrong);
        EXPECT_EQ(result.verdict, CheckVerdict::doubtful) << mistake.made;
        EXPECT_TRUE(mentions(result, mistake.mends)) << mistake.made << "\n" << findings_text(result);
    }
}

TEST_P(UsualMistakes, AShiftByASampleIsNamedOrSaidToBeInvisible) {
    const auto [trajectory, snr] = GetParam();
    const Scan right = simulated(trajectory, snr);
    for (const std::string made : {"shift=1", "shift=-1"}) {
        Scan wrong = right;
        apply(parse_scan_fixes(made).front(), wrong);
        const ScanCheck result = check(wrong);
        const std::string mends = made == "shift=1" ? "shift=-1" : "shift=1";
        EXPECT_TRUE(mentions(result, mends) || findings_text(result).find("1 place") != std::string::npos)
            << made << "\n"
            << findings_text(result);
    }
}

TEST_P(UsualMistakes, AreNotFoundWhereThereAreNone) {
    const auto [trajectory, snr] = GetParam();
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        const ScanCheck result = check(simulated(trajectory, snr, seed));
        EXPECT_EQ(result.verdict, CheckVerdict::fine) << findings_text(result);
    }
}

INSTANTIATE_TEST_SUITE_P(, UsualMistakes,
                         testing::Combine(testing::Values("radial", "spiral", "cones"), testing::Values(10.0, 100.0)),
                         [](const auto& info) {
                             return std::string(std::get<0>(info.param)) + "_snr_" +
                                    std::to_string(static_cast<int>(std::get<1>(info.param)));
                         });

/// A reading that keeps the centre of k-space alone leaves less of the data where most that is left is noise.
TEST(ScanCheck, NoiseAloneIsNoMistake) {
    for (const char* trajectory : {"radial", "spiral", "cones"}) {
        for (std::uint64_t seed = 1; seed <= 4; ++seed) {
            const ScanCheck result = check(simulated(trajectory, 3, seed));
            EXPECT_GT(result.residual, 0.2) << "there is no noise to speak of";
            EXPECT_EQ(result.verdict, CheckVerdict::fine) << trajectory << "\n" << findings_text(result);
        }
    }
}

/// The strongest coils of a scan have more of its noise than its coils on the average.
TEST(ScanCheck, CoilsOfUnequalGainAreNoMistake) {
    for (const Index noise_samples : {0, 2000}) {
        Scan scan = simulated("radial", 10, 1, 12, noise_samples);
        for (Index coil = 0; coil < scan.coil_count; ++coil) {
            const auto gain = static_cast<float>(std::pow(1.4, coil));
            for (std::vector<cfloat>* const numbers : {&scan.frames[0].kspace, &scan.coil_maps, &scan.noise}) {
                const Index length = std::ssize(*numbers) / scan.coil_count;
                std::for_each_n(numbers->begin() + coil * length, length, [&](cfloat& value) { value *= gain; });
            }
        }
        const ScanCheck result = check(scan);
        EXPECT_EQ(result.verdict, CheckVerdict::fine) << findings_text(result);
        EXPECT_GT(result.noise / result.residual, 0.85) << "0.72 by the mean of all coils";
    }
}

/// A receiver whose gain was changed between the maps and the scan. Readouts that run backwards had been named, which
/// fits worse.
TEST(ScanCheck, AGainThatTheMapsDoNotKnowIsNamed) {
    for (const float gain : {30.0F, 5.0F}) {
        for (const char* trajectory : {"spiral", "radial", "cones"}) {
            Scan scan = simulated(trajectory, 30);
            std::vector<cfloat>& kspace = scan.frames.front().kspace;
            const auto samples = scan.frames.front().sample_count();
            std::for_each(kspace.begin() + 2 * samples, kspace.begin() + 3 * samples,
                          [gain](cfloat& value) { value *= gain; });
            const ScanCheck found = check(scan);
            SCOPED_TRACE(std::string(trajectory) + "\n" + findings_text(found));
            EXPECT_EQ(found.verdict, CheckVerdict::doubtful);
            EXPECT_EQ(found.findings.back().kind, "coil_maps");
            EXPECT_NE(found.findings.back().text.find("coil 2: "), std::string::npos);
            EXPECT_EQ(std::ssize(found.findings), 1);
        }
    }
}

/// Two receiver boards of another gain: which half is meant by the maps nobody knows, the weaker one is named.
TEST(ScanCheck, HalfOfAnArrayOfAnotherGainIsNamed) {
    Scan scan = simulated("radial", 30);
    std::vector<cfloat>& kspace = scan.frames.front().kspace;
    const auto samples = scan.frames.front().sample_count();
    for (const Index coil : {0, 2, 4}) {
        std::for_each_n(kspace.begin() + coil * samples, samples, [](cfloat& value) { value *= 3; });
    }
    const ScanCheck found = check(scan);
    EXPECT_EQ(found.verdict, CheckVerdict::doubtful);
    EXPECT_NE(findings_text(found).find("coils 1, 3, 5: 0.33"), std::string::npos) << findings_text(found);
}

TEST(ScanCheck, ACoilWhoseSamplesComeLateIsNamed) {
    Scan scan = simulated("golden-radial", 30);
    const auto samples = scan.frames.front().sample_count();
    const auto first = scan.frames.front().kspace.begin() + 2 * samples;
    std::rotate(first, first + samples - 1, first + samples);
    const ScanCheck found = check(scan);
    EXPECT_EQ(found.verdict, CheckVerdict::doubtful);
    EXPECT_NE(findings_text(found).find("coil 2 does not fit the others"), std::string::npos) << findings_text(found);
}

TEST(ScanCheck, WithoutMapsItSaysWhatItCannotTell) {
    Scan scan = simulated("radial", 20);
    scan.coil_maps.clear();
    const ScanCheck result = check(scan);
    EXPECT_EQ(result.verdict, CheckVerdict::fine) << findings_text(result);
    EXPECT_NE(findings_text(result).find("cannot_tell"), std::string::npos);
}

/// Sensitivities as they were measured, near one side 150 times those at the other: as good maps as normalised ones.
TEST(ScanCheck, SizesOfMapsFromPlaceToPlaceAreNoDoubt) {
    for (const char* trajectory : {"radial", "spiral"}) {
        Scan scan = simulated(trajectory, 30);
        const ScanCheck of_normalised = check(scan);
        const Index width = scan.geometry.matrix_size[0];
        for (std::size_t n = 0; n < scan.coil_maps.size(); ++n) {
            const double x = static_cast<double>(static_cast<Index>(n) % width) / static_cast<double>(width) - 0.5;
            scan.coil_maps[n] *= static_cast<float>(std::exp(5 * x));
        }
        const ScanCheck result = check(scan);
        EXPECT_EQ(result.verdict, CheckVerdict::fine) << findings_text(result);
        EXPECT_NEAR(result.residual, of_normalised.residual, 0.02 * of_normalised.residual);
    }
}

TEST(ScanCheck, DelaysOfGradientsAreNamed) {
    for (const double snr : {5.0, 100.0}) {
        Scan scan = simulated("radial", snr);
        GradientDelays delays;
        delays.samples = {-0.6, 0.3, 0};  // the file is ahead of the gradients by as much
        scan.frames[0].trajectory = delayed(*scan.frames[0].trajectory, scan.samples_per_readout, delays);
        const ScanCheck result = check(scan);
        EXPECT_EQ(result.verdict, CheckVerdict::doubtful);
        EXPECT_NE(findings_text(result).find("gradients come late by x 0."), std::string::npos)
            << findings_text(result);
        EXPECT_NE(findings_text(result).find("`gradient_delays` auto"), std::string::npos) << findings_text(result);
    }
}

/// Of two samples along one axis and the other way along the other a shift of all readouts explains a part alone.
TEST(ScanCheck, LargeDelaysAreNotTakenForAShiftOfTheReadouts) {
    Scan scan = simulated("radial", 50);
    GradientDelays delays;
    delays.samples = {-2, 1, 0};
    scan.frames[0].trajectory = delayed(*scan.frames[0].trajectory, scan.samples_per_readout, delays);
    const ScanCheck result = check(scan);
    EXPECT_NE(findings_text(result).find("gradients come late by x 2."), std::string::npos) << findings_text(result);
    EXPECT_EQ(findings_text(result).find("shift"), std::string::npos) << findings_text(result);
}

TEST(ScanCheck, DeadCoilsAreNamed) {
    Scan scan = simulated("radial", 20);
    const Index length = scan.frames[0].sample_count();
    std::fill_n(scan.frames[0].kspace.begin() + 2 * length, length, cfloat(0));
    const ScanCheck result = check(scan);
    EXPECT_EQ(result.verdict, CheckVerdict::doubtful);
    EXPECT_NE(findings_text(result).find("k-space of coil 2 is zero"), std::string::npos) << findings_text(result);
}

TEST(ScanCheck, AMissingPartOfComplexNumbersIsNamedAndNothingElse) {
    for (const bool real_is_left : {true, false}) {
        Scan scan = simulated("radial", 20);
        for (cfloat& value : scan.frames[0].kspace) {
            value = real_is_left ? cfloat(value.real(), 0) : cfloat(0, value.imag());
        }
        const ScanCheck result = check(scan);
        EXPECT_EQ(result.verdict, CheckVerdict::doubtful);
        const std::string part = real_is_left ? "imaginary" : "real";
        EXPECT_NE(findings_text(result).find("the " + part + " part of every sample is zero"), std::string::npos)
            << findings_text(result);
        EXPECT_TRUE(result.trials.empty());
    }
}

TEST(ScanCheck, NothingButZerosIsUnusable) {
    Scan scan = simulated("radial", 20);
    std::fill(scan.frames[0].kspace.begin(), scan.frames[0].kspace.end(), cfloat(0));
    EXPECT_EQ(check(scan).verdict, CheckVerdict::unusable);
}

TEST(ResidualText, SaysWhatIsNoise) {
    ScanCheck check;
    check.matrix_size = {32, 32, 1};
    check.residual = 0.05;
    EXPECT_EQ(residual_text(check), "residual 0.0500 at [x 32, y 32, z 1], its noise unknown");
    check.noise = 0.02;
    EXPECT_EQ(residual_text(check), "residual 0.0500 at [x 32, y 32, z 1], of it noise 0.0200");
    check.noise = 0.1;
    EXPECT_EQ(residual_text(check), "residual 0.0500 at [x 32, y 32, z 1], no more than noise may be");
}

}  // namespace
}  // namespace recon
