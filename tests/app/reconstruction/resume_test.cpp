// A run that is interrupted after any step, and taken up, ends with the bytes of one that went through.
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <set>

#include "app/reconstruction/reconstruction.hpp"
#include "core/base/log_binding.hpp"
#include "data/simulation/simulate_scan.hpp"
#include "tests/support/cpu_team.hpp"
#include "tests/support/error_matchers.hpp"
#include "tests/support/random.hpp"
#include "tests/support/temporary_folder.hpp"

namespace recon {
namespace {

struct Kind {
    const char* name;
    Index frames;
    int ranks;
    PerAxis<Index> matrix;
    int stride;  ///< steps from one stop to the next
    std::function<void(ReconstructOptions&)> ask;
};

void PrintTo(const Kind& kind, std::ostream* out) { *out << kind.name; }

Scan scan_of(const Kind& kind) {
    SimulationOptions options;
    options.trajectory = kind.frames > 1 ? "golden-radial" : "radial";
    options.request.matrix_size = kind.matrix;
    options.coil_count = 3;
    options.frame_count = kind.frames;
    options.snr = 10;
    return simulate_scan(options).scan;
}

const RunRecord identity_of_run = {{"options", {{"--lambda", "0.1"}}}};

class ResumedRun : public ::testing::TestWithParam<Kind> {
protected:
    struct Outcome {
        std::vector<FrameResult> frames;
        int writes = 0;  ///< of checkpoints
        bool cancelled = false;
    };

    /// @param path  of the checkpoint; empty: none  @param after_write  told the number of writes so far
    /// @param ranks  0: those of the kind
    Outcome reconstructed(const std::string& path, Checkpoint::Mode mode,
                          const std::function<void(RunControl&, int)>& after_write = {}, int ranks = 0) {
        RunControl control;
        Outcome outcome;
        Log log;
        log.set_wording([&](const std::string& line) {
            if (line.starts_with("checkpoint: written") && after_write) {
                after_write(control, ++outcome.writes);
            }
            return line;
        });
        const LogBinding bound(&log);
        ReconstructOptions options;
        options.cg.iterations = 6;
        options.admm.iterations = 7;
        options.measure_accuracy = false;
        GetParam().ask(options);
        Scan scan = scan_;
        if (!path.empty()) {
            control.checkpoint = std::make_shared<Checkpoint>(path, identity_of_run, 0, mode);
        }
        try {
            outcome.frames = reconstruct(scan, test::cpu_team(ranks > 0 ? ranks : GetParam().ranks), options, control);
        } catch (const Cancelled&) {
            outcome.cancelled = true;
        }
        return outcome;
    }

    static void expect_same(const Outcome& found, const Outcome& expected, const std::string& when) {
        ASSERT_EQ(found.frames.size(), expected.frames.size()) << when;
        for (std::size_t i = 0; i < found.frames.size(); ++i) {
            const FrameResult &a = found.frames[i], &b = expected.frames[i];
            EXPECT_EQ(a.image, b.image) << when;
            EXPECT_EQ(a.cg.residuals, b.cg.residuals) << when;
            EXPECT_EQ(a.cg.stopped_by, b.cg.stopped_by) << when;
            EXPECT_EQ(a.data_residual, b.data_residual) << when;
            ASSERT_EQ(a.admm.has_value(), b.admm.has_value()) << when;
            ASSERT_EQ(a.lambda.has_value(), b.lambda.has_value()) << when;
            ASSERT_EQ(a.scan.has_value(), b.scan.has_value()) << when;
            if (a.admm) {
                EXPECT_EQ(a.admm->objectives, b.admm->objectives) << when;
                EXPECT_EQ(a.admm->couplings, b.admm->couplings) << when;
            }
            if (a.lambda) {
                EXPECT_EQ(a.lambda->choice.lambda, b.lambda->choice.lambda) << when;
                EXPECT_EQ(a.lambda->choice.curve.size(), b.lambda->choice.curve.size()) << when;
                EXPECT_EQ(a.lambda->noise.source, b.lambda->noise.source) << when;
            }
            if (a.scan) {
                EXPECT_EQ(a.scan->power, b.scan->power) << when;
                EXPECT_EQ(a.scan->predicted_error, b.scan->predicted_error) << when;
                EXPECT_EQ(a.scan->iterations, b.scan->iterations) << when;
            }
            ASSERT_EQ(a.extras.size(), b.extras.size()) << when;
            for (std::size_t n = 0; n < a.extras.size(); ++n) {
                EXPECT_EQ(a.extras[n].name, b.extras[n].name) << when;
                EXPECT_EQ(a.extras[n].values, b.extras[n].values) << when;
            }
        }
    }

    Scan scan_ = scan_of(GetParam());
    test::TemporaryFolder folder_;
};

/// As if the power had gone after each of some writes: what was on the disk then is taken up.
TEST_P(ResumedRun, HasTheBytesOfOneThatWentThrough) {
    const Outcome uninterrupted = reconstructed("", Checkpoint::Mode::fresh);
    const std::string path = folder_ / "run.ckpt";
    const std::set<int> moments{1, 3, 5, 34, 233};
    const Outcome kept = reconstructed(path, Checkpoint::Mode::fresh, [&](RunControl&, int writes) {
        if (moments.contains(writes)) {
            std::filesystem::copy_file(path, folder_ / std::to_string(writes));
        }
    });
    expect_same(kept, uninterrupted, "with a checkpoint");
    int taken_up = 0;
    for (const int writes : moments) {
        if (writes > kept.writes) {
            break;
        }
        const Outcome resumed =
            reconstructed(folder_ / std::to_string(writes), Checkpoint::Mode::resume, [](RunControl&, int) {});
        expect_same(resumed, uninterrupted, "taken up after " + std::to_string(writes));
        EXPECT_EQ(resumed.writes, kept.writes - writes) << "no step is done twice, taken up after " << writes;
        ++taken_up;
    }
    EXPECT_GE(taken_up, 3);
}

/// A request to stop again and again, soon after each beginning.
TEST_P(ResumedRun, GoesOnAfterEveryStop) {
    const Outcome uninterrupted = reconstructed("", Checkpoint::Mode::fresh);
    const std::string path = folder_ / "run.ckpt";
    int stops = 0;
    for (; stops < 200; ++stops) {
        const Outcome part = reconstructed(path, Checkpoint::Mode::resume, [&](RunControl& control, int writes) {
            if (writes == GetParam().stride) {
                control.cancel.request();
            }
        });
        if (!part.cancelled) {
            expect_same(part, uninterrupted, "after " + std::to_string(stops) + " stops");
            break;
        }
    }
    EXPECT_GE(stops, 1);
    EXPECT_LT(stops, 200);
}

/// What is kept along the course is found there, though sums over ranks are rounded otherwise: by 1e-7 of their size,
/// which solutions amplify by up to the square root of their systems' condition. Another course would be off by per
/// cents.
TEST_P(ResumedRun, GoesOnOnAnotherNumberOfRanks) {
    const Outcome uninterrupted = reconstructed("", Checkpoint::Mode::fresh);
    const std::string path = folder_ / "run.ckpt";
    const auto stop = [](RunControl& control, int writes) {
        if (writes == 2 * GetParam().stride) {
            control.cancel.request();
        }
    };
    ASSERT_TRUE(reconstructed(path, Checkpoint::Mode::fresh, stop).cancelled);
    const Outcome resumed = reconstructed(path, Checkpoint::Mode::resume, {}, GetParam().ranks == 1 ? 2 : 1);
    ASSERT_EQ(resumed.frames.size(), uninterrupted.frames.size());
    for (std::size_t i = 0; i < resumed.frames.size(); ++i) {
        const std::vector<cfloat>&found = resumed.frames[i].image, &expected = uninterrupted.frames[i].image;
        EXPECT_LT(test::relative_difference({found.begin(), found.end()}, {expected.begin(), expected.end()}), 1e-3);
    }
}

constexpr PerAxis<Index> small{18, 17, 1}, tiny{9, 8, 1};

void ask_for_lambda(ReconstructOptions& options, const char* prior) {
    options.cg.iterations = 20;
    options.regularisation.terms = {{prior, 1e-3, LambdaOrigin::automatic}};
}

INSTANTIATE_TEST_SUITE_P(
    , ResumedRun,
    ::testing::Values(Kind{"Cg", 1, 1, small, 3, [](ReconstructOptions&) {}},
                      Kind{"CgPreconditionedInDouble", 1, 1, small, 3,
                           [](ReconstructOptions& o) {
                               o.preconditioner = PreconditionerKind::circulant;
                               o.weighting = SampleWeighting::density;
                               o.precision = Precision::double_;
                           }},
                      Kind{"CgOnTwoRanks", 2, 2, small, 5, [](ReconstructOptions&) {}},
                      Kind{"Tv", 1, 1, small, 3,
                           [](ReconstructOptions& o) {
                               o.regularisation.terms = {{"tv", 1e-3}};
                           }},
                      Kind{"Lambda", 1, 1, tiny, 150, [](ReconstructOptions& o) { ask_for_lambda(o, "roughness"); }},
                      Kind{"LambdaOfTv", 1, 1, tiny, 50, [](ReconstructOptions& o) { ask_for_lambda(o, "tv"); }},
                      Kind{"ScanPrior", 2, 1, small, 17,
                           [](ReconstructOptions& o) {
                               o.regularisation.scan = ScanPrior::scan;
                               o.regularisation.uncertainty_samples = 2;
                           }},
                      Kind{"ScanPriorOnTwoRanks", 1, 2, small, 17,
                           [](ReconstructOptions& o) { o.regularisation.scan = ScanPrior::scan; }},
                      Kind{"Series", 3, 1, small, 3,
                           [](ReconstructOptions& o) {
                               o.regularisation.terms = {{"llr", 1e-2}};
                           }}),
    [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace recon
