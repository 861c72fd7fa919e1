// What a run looks for before it begins, and what it says of its residual.
#include "app/reconstruction/check/run_check.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "app/reconstruction/reconstruction.hpp"
#include "core/backend/cpu/cpu_backend.hpp"
#include "core/mri/check/dropped_samples.hpp"
#include "data/simulation/simulate_scan.hpp"
#include "tests/support/cpu_team.hpp"
#include "tests/support/random.hpp"

namespace recon {
namespace {

Scan run_check_scan(Index frames = 1) {
    SimulationOptions options;
    options.trajectory = frames > 1 ? "golden-radial" : "radial";
    options.request.matrix_size = {48, 48, 1};
    options.coil_count = 5;
    options.frame_count = frames;
    options.snr = 30;
    return simulate_scan(options).scan;
}

struct Checked {
    RunCheck check;
    CoilOptions coils;
};

Checked checked(Scan& scan, CheckOptions options = {}, double most_seconds = std::numeric_limits<double>::infinity()) {
    options.most_seconds = most_seconds;
    RunControl control;
    const auto backend = make_cpu_backend();
    Run run(*backend, only_rank(), control);
    Checked result;
    result.check = check_before_run(scan, result.coils, {}, options, run);
    EXPECT_GT(control.stages.of(Stage::check).seconds, 0);
    return result;
}

std::vector<FrameResult> images(Scan& scan, const Team& team = test::cpu_team(1), ScanPrior prior = ScanPrior::none) {
    ReconstructOptions options;
    options.regularisation.scan = prior;
    options.measure_accuracy = false;
    RunControl control;
    return reconstruct(scan, team, options, control);
}

std::string kinds_and_fixes(const std::vector<CheckFinding>& findings) {
    std::string text;
    for (const CheckFinding& finding : findings) {
        text += finding.kind + "[" + finding.fix + "] " + finding.text + "\n";
    }
    return text;
}

void scale_part(std::vector<cfloat>& kspace, Index first, Index count, float factor) {
    for (Index i = first; i < first + count; ++i) {
        kspace[i] *= factor;
    }
}

TEST(RunCheck, AGoodScanTakesOneFitAndIsLeftAlone) {
    Scan scan = run_check_scan();
    const Scan before = scan;
    const Checked result = checked(scan);
    EXPECT_EQ(result.check.scan.verdict, CheckVerdict::fine) << kinds_and_fixes(result.check.scan.findings);
    EXPECT_TRUE(result.check.scan.trials.empty());
    EXPECT_TRUE(result.check.applied.empty());
    EXPECT_EQ(scan.frames[0].kspace, before.frames[0].kspace);
    EXPECT_EQ(scan.frames[0].trajectory, before.frames[0].trajectory);
    EXPECT_EQ(scan.coil_maps, before.coil_maps);
}

TEST(RunCheck, AMistakeIsFoundAndItsFixIsApplied) {
    for (const std::string mistake : {"conjugate", "mirror=y", "swap=xy", "reverse=all", "maps-order=1-0-2-3-4"}) {
        Scan wrong = run_check_scan();
        for (const ScanFix& fix : parse_scan_fixes(mistake)) {
            apply(fix, wrong);
        }
        Scan again = wrong;
        const Checked result = checked(wrong);
        EXPECT_EQ(result.check.scan.verdict, CheckVerdict::doubtful) << mistake;
        EXPECT_NE(kinds_and_fixes(result.check.scan.findings).find(mistake), std::string::npos)
            << mistake << "\n"
            << kinds_and_fixes(result.check.scan.findings);
        CheckOptions options;
        options.fixes = parse_scan_fixes(mistake);
        for (const ScanFix& fix : options.fixes) {
            if (!fix.is_of_maps()) {
                apply(fix, again);  // as the reader does
            }
        }
        const Checked mended = checked(again, options);
        EXPECT_EQ(mended.check.scan.verdict, CheckVerdict::fine) << mistake;
        EXPECT_EQ(mended.check.applied, std::vector<std::string>{"fix " + mistake});
    }
}

/// As zero filling of a partial echo leaves them, and of readouts that were not acquired.
TEST(RunCheck, WhatWasNotMeasuredIsLeftOut) {
    const Scan scan = run_check_scan();
    const Index length = scan.samples_per_readout, samples = scan.frames[0].sample_count(), skipped = 10;
    Scan partial = scan, expected = scan;
    std::vector<Index> dropped;
    for (Index m = 0; m < samples; ++m) {
        if (m % length < skipped || m / length == 3) {
            dropped.push_back(m);
            for (Index coil = 0; coil < scan.coil_count; ++coil) {
                partial.frames[0].kspace[static_cast<std::size_t>(coil * samples + m)] = 0;
            }
        }
    }
    drop_samples(expected, {dropped});
    const Checked result = checked(partial);
    EXPECT_EQ(partial.frames[0].kspace, expected.frames[0].kspace);
    EXPECT_EQ(partial.frames[0].trajectory->k, expected.frames[0].trajectory->k);
    EXPECT_EQ(partial.samples_per_readout, length - skipped);
    ASSERT_EQ(result.check.applied.size(), 2U);
    EXPECT_NE(result.check.applied[0].find("first 10 of the"), std::string::npos);
    EXPECT_NE(result.check.applied[1].find("(readout 3)"), std::string::npos) << result.check.applied[1];
    EXPECT_NE(kinds_and_fixes(result.check.scan.findings).find("dead_readout"), std::string::npos);
    Scan one_coil = scan;  // zeros in some coils alone are measurements
    std::fill_n(one_coil.frames[0].kspace.begin(), length, cfloat(0));
    EXPECT_TRUE(checked(one_coil).check.applied.empty());
}

/// Frames that share a trajectory still do, and one that lacks readouts that the first one has is looked at, too.
TEST(RunCheck, WhatWasNotMeasuredIsLeftOutFrameByFrame) {
    SimulationOptions options;
    options.trajectory = "radial";
    options.request.matrix_size = {32, 32, 1};
    options.coil_count = 4;
    options.frame_count = 3;
    Scan scan = simulate_scan(options).scan;
    const Index length = scan.samples_per_readout, samples = scan.frames[0].sample_count();
    ASSERT_EQ(scan.frames[0].trajectory, scan.frames[2].trajectory);
    const auto clear = [&](Index frame, Index first, Index count) {
        for (Index coil = 0; coil < 4; ++coil) {
            std::fill_n(scan.frames[static_cast<std::size_t>(frame)].kspace.begin() + coil * samples + first, count,
                        cfloat(0));
        }
    };
    for (Index frame = 0; frame < 3; ++frame) {
        for (Index readout = 0; readout < samples / length; ++readout) {
            clear(frame, readout * length, 3 + frame);
        }
    }
    clear(1, 5 * length, 2 * length);
    const Checked result = checked(scan);
    EXPECT_EQ(scan.samples_per_readout, length - 3) << "what all frames do without";
    EXPECT_EQ(scan.frames[0].trajectory, scan.frames[2].trajectory);
    EXPECT_EQ(scan.frames[1].sample_count(), scan.frames[0].sample_count() - 2 * (length - 3));
    EXPECT_EQ(scan.frames[1].kspace.size(), 4 * static_cast<std::size_t>(scan.frames[1].sample_count()));
    ASSERT_EQ(result.check.applied.size(), 2U);
    EXPECT_NE(result.check.applied[1].find("readouts of frame 1"), std::string::npos) << result.check.applied[1];
}

TEST(RunCheck, ACoilWithoutAMapIsNoDoubtAboutTheOthers) {
    Scan scan = run_check_scan();
    const std::size_t voxels = scan.coil_maps.size() / 5;
    std::fill_n(scan.coil_maps.begin() + static_cast<std::ptrdiff_t>(voxels), voxels, cfloat(0));
    const std::string found = kinds_and_fixes(checked(scan).check.scan.findings);
    EXPECT_NE(found.find("dead_coil"), std::string::npos);
    EXPECT_EQ(found.find("residual"), std::string::npos) << found;
}

TEST(RunCheck, OutOfTimeItSaysSo) {
    Scan wrong = run_check_scan();
    apply(parse_scan_fixes("conjugate").front(), wrong);
    const RunCheck result = checked(wrong, {}, 0).check;
    EXPECT_TRUE(result.scan.out_of_time);
    EXPECT_EQ(result.scan.verdict, CheckVerdict::doubtful);  // no image explains the data
}

CheckOptions with_spikes(Mending mending) {
    CheckOptions options;
    options.spikes = mending;
    return options;
}

TEST(RunCheck, SpikesAreNamedAndLeftOut) {
    Scan clean = run_check_scan(), scan = clean;
    scan.frames[0].kspace[3] = cfloat(1e5F, 0);
    Scan named = scan, by_itself = scan;
    EXPECT_NE(kinds_and_fixes(checked(named).check.scan.findings).find("spike[] 1 of"), std::string::npos);
    EXPECT_EQ(named.frames[0].sample_count(), clean.frames[0].sample_count());
    const Checked left_out = checked(by_itself, with_spikes(Mending::automatic));
    EXPECT_NE(kinds_and_fixes(left_out.check.scan.findings).find("spike[] 1 of"), std::string::npos);
    EXPECT_EQ(left_out.check.scan.verdict, CheckVerdict::doubtful);
    EXPECT_EQ(by_itself.frames[0].sample_count(), clean.frames[0].sample_count() - 1);
    const Checked result = checked(scan, with_spikes(Mending::asked));
    EXPECT_EQ(result.check.scan.verdict, CheckVerdict::fine) << kinds_and_fixes(result.check.scan.findings);
    EXPECT_EQ(scan.frames[0].sample_count(), clean.frames[0].sample_count() - 1);
    const std::vector<cfloat> image = images(scan)[0].image, of_clean = images(clean)[0].image;
    EXPECT_LT(test::relative_difference({image.begin(), image.end()}, {of_clean.begin(), of_clean.end()}), 0.02);
}

TEST(RunCheck, NoisyCoilsAreNamedAndDropped) {
    Scan scan = run_check_scan();
    const Index length = scan.frames[0].sample_count();
    std::mt19937 random(2);
    std::normal_distribution<float> normal(0, 300);
    for (Index i = 2 * length; i < 3 * length; ++i) {
        scan.frames[0].kspace[i] = {normal(random), normal(random)};
    }
    Scan named = scan;
    EXPECT_NE(kinds_and_fixes(checked(named).check.scan.findings).find("noisy_coil[] coil 2"), std::string::npos);
    CheckOptions options;
    options.drop_noisy = true;
    const Checked result = checked(scan, options);
    EXPECT_EQ(result.coils.left_out, std::vector<Index>{2});
    EXPECT_EQ(result.check.scan.verdict, CheckVerdict::fine) << kinds_and_fixes(result.check.scan.findings);
}

TEST(DeadCoils, AreLeftOutByThemselvesWhateverTheMaps) {
    for (const bool own_maps : {true, false}) {
        Scan whole = run_check_scan(), dead = run_check_scan(), without = run_check_scan();
        const Index length = whole.frames[0].sample_count();
        scale_part(dead.frames[0].kspace, 3 * length, length, 0);
        const auto keep = [&](std::vector<cfloat>& values) {
            const auto part = static_cast<std::ptrdiff_t>(values.size()) / 5;
            values.erase(values.begin() + 3 * part, values.begin() + 4 * part);
        };
        keep(without.frames[0].kspace);
        keep(without.coil_maps);
        without.coil_count = 4;
        if (!own_maps) {
            dead.coil_maps.clear();
            without.coil_maps.clear();
        }
        std::vector<FrameResult> results = images(dead);
        EXPECT_EQ(results[0].image, images(without)[0].image);
        if (!own_maps) {  // those of the file's coils, with zeros for the dead one
            const auto& maps = std::get<std::vector<cfloat>>(results[0].extras.back().values);
            const std::size_t voxels = 48 * 48;
            ASSERT_EQ(maps.size(), 5 * voxels);
            EXPECT_TRUE(std::all_of(maps.begin() + 3 * voxels, maps.begin() + 4 * voxels,
                                    [](cfloat value) { return value == cfloat(0); }));
        }
    }
}

TEST(DeadCoils, OfTheMapsAreLeftOutToo) {
    Scan scan = run_check_scan();
    const Index voxels = 48 * 48;
    scale_part(scan.coil_maps, voxels, voxels, 0);
    const std::vector<FrameResult> results = images(scan);
    EXPECT_EQ(scan.coil_count, 4);
    EXPECT_LT(results[0].data_residual, 0.1);
}

/// Every number of ranks says the same of the residual.
TEST(JudgedResidual, NamesCoilAndReadoutOfTheirFrame) {
    for (const int ranks : {1, 2, 7}) {
        Scan scan = run_check_scan(2);
        std::vector<cfloat>& kspace = scan.frames[1].kspace;
        const Index samples = scan.frames[1].sample_count(), length = scan.samples_per_readout;
        for (Index coil = 0; coil < 5; ++coil) {
            scale_part(kspace, coil * samples + 4 * length, length, -1);
        }
        const std::vector<FrameResult> results = images(scan, test::cpu_team(ranks));
        EXPECT_TRUE(results[0].findings.empty()) << kinds_and_fixes(results[0].findings);
        const std::string text = kinds_and_fixes(results[1].findings);
        EXPECT_NE(text.find("readout 4 of frame 1 does not fit"), std::string::npos) << ranks << "\n" << text;
    }
    Scan scan = run_check_scan();
    scale_part(scan.frames[0].kspace, 2 * scan.frames[0].sample_count(), scan.frames[0].sample_count(), -1);
    const std::string text = kinds_and_fixes(images(scan)[0].findings);
    EXPECT_NE(text.find("coil 2 does not fit"), std::string::npos) << text;
}

TEST(FieldOfView, AnObjectThatGoesOnBeyondItIsTold) {
    Scan scan = run_check_scan();
    const auto findings_of = [&] { return images(scan, test::cpu_team(1), ScanPrior::scan)[0].findings; };
    EXPECT_TRUE(findings_of().empty());
    Trajectory narrow = *scan.frames[0].trajectory;  // cycles of a field half as large
    for (std::vector<double>& k : narrow.k) {
        std::transform(k.begin(), k.end(), k.begin(), [](double cycles) { return cycles / 2; });
    }
    scan.frames[0].trajectory = std::make_shared<const Trajectory>(std::move(narrow));
    const std::string text = kinds_and_fixes(findings_of());
    EXPECT_NE(text.find("field_of_view"), std::string::npos) << text;
}

}  // namespace
}  // namespace recon
