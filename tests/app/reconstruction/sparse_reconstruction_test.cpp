// Whole reconstructions with priors beyond quadratic, of simulated scans whose truth is known.
#include <gtest/gtest.h>

#include <limits>

#include "app/reconstruction/reconstruction.hpp"
#include "core/base/error.hpp"
#include "core/mri/metrics/image_metrics.hpp"
#include "data/simulation/simulate_scan.hpp"
#include "tests/support/backends.hpp"
#include "tests/support/cpu_team.hpp"
#include "tests/support/error_matchers.hpp"
#include "tests/support/random.hpp"
#include "tests/support/thread_count.hpp"

namespace recon {
namespace {

/// A quarter of the readouts that Nyquist asks for.
Simulation undersampled(const std::string& phantom, Index frame_count = 1) {
    SimulationOptions options;
    options.phantom = phantom;
    options.request.matrix_size = {48, 44, 1};
    options.trajectory = "golden-radial";
    options.request.readouts = 19;
    options.request.readout_oversampling = 1.25;
    options.coil_count = 3;
    options.snr = 30;
    options.frame_count = frame_count;
    options.edge_voxels = 0.6;
    return simulate_scan(options);
}

using Terms = std::vector<PriorTermOptions>;

class SparseReconstruction : public test::EveryBackend {
protected:
    std::vector<FrameResult> run(const Simulation& simulation, const Terms& terms) {
        ReconstructOptions options;
        options.measure_accuracy = false;
        options.regularisation.terms = terms;
        options.admm.iterations = 40;
        Scan scan = simulation.scan;
        RunControl control;
        return reconstruct(scan, *backend_, options, control);
    }
    /// Mean over the frames of |image - truth| / |truth|.
    double error(const Simulation& simulation, const Terms& terms) {
        const std::vector<FrameResult> results = run(simulation, terms);
        const std::size_t voxels = results.front().image.size();
        double sum = 0;
        for (std::size_t i = 0; i < results.size(); ++i) {
            sum += compare_images(results[i].image, std::span(simulation.truth).subspan(i * voxels, voxels),
                                  simulation.scan.geometry.matrix_size)
                       .nrmse;
        }
        return sum / static_cast<double>(results.size());
    }
    double least_error(const Simulation& simulation, const char* prior, const std::vector<double>& lambdas) {
        double least = std::numeric_limits<double>::infinity();
        for (const double lambda : lambdas) {
            least = std::min(least, error(simulation, {{prior, lambda}}));
        }
        return least;
    }
};

TEST_P(SparseReconstruction, TotalVariationBeatsTheBestQuadraticPriorOnAnObjectOfEvenParts) {
    const Simulation simulation = undersampled("shepp-logan");
    const double none = error(simulation, {});
    const double identity = least_error(simulation, "identity", {1e-2, 3e-2, 1e-1, 3e-1});
    const double roughness = least_error(simulation, "roughness", {1e-2, 3e-2, 1e-1, 3e-1});
    const double tv = least_error(simulation, "tv", {1e-2, 3e-2, 1e-1});
    EXPECT_LT(identity, none);
    EXPECT_LT(tv, 0.75 * std::min(identity, roughness)) << none << " " << identity << " " << roughness;
}

TEST_P(SparseReconstruction, WaveletsBeatTheIdentityOnAHead) {
    const Simulation simulation = undersampled("brain");
    const double identity = least_error(simulation, "identity", {1e-2, 3e-2, 1e-1, 3e-1});
    const double wavelet = least_error(simulation, "wavelet", {3e-3, 1e-2, 3e-2});
    EXPECT_LT(wavelet, 0.9 * identity);
}

TEST_P(SparseReconstruction, LocallyLowRankBeatsFrameByFrame) {
    const Simulation simulation = undersampled("brain", 6);
    const double alone =
        std::min(least_error(simulation, "roughness", {3e-2, 1e-1}), least_error(simulation, "tv", {3e-3, 1e-2, 3e-2}));
    const double together = least_error(simulation, "llr", {3e-3, 1e-2, 3e-2});
    EXPECT_LT(together, 0.85 * alone);
}

TEST_P(SparseReconstruction, LambdaMeansTheSameInOtherUnitsAndWithMoreSamples) {
    Simulation simulation = undersampled("brain");
    const std::vector<cfloat> image = run(simulation, {{"tv", 2e-3}}).front().image;
    Frame& frame = simulation.scan.frames.front();
    for (cfloat& sample : frame.kspace) {
        sample *= 1000.0F;
    }
    Trajectory twice = *frame.trajectory;  // each sample counted twice
    for (int axis = 0; axis < 3; ++axis) {
        const std::vector<double>& once = frame.trajectory->k[axis];
        twice.k[axis].insert(twice.k[axis].end(), once.begin(), once.end());
    }
    std::vector<cfloat> kspace;
    for (Index coil = 0; coil < simulation.scan.coil_count; ++coil) {
        const auto of_coil = frame.kspace.begin() + coil * frame.sample_count();
        for (int time = 0; time < 2; ++time) {
            kspace.insert(kspace.end(), of_coil, of_coil + frame.sample_count());
        }
    }
    frame.trajectory = std::make_shared<const Trajectory>(std::move(twice));
    frame.kspace = std::move(kspace);
    frame.sample_times_s = std::vector<float>();
    const std::vector<FrameResult> results = run(simulation, {{"tv", 2e-3}});
    std::vector<cdouble> scaled;
    for (const cfloat& value : results.front().image) {
        scaled.push_back(cdouble(value) / 1000.0);
    }
    EXPECT_LT(test::relative_difference(scaled, {image.begin(), image.end()}), 1e-3);  // what ADMM stops at
}

TEST_P(SparseReconstruction, TermsCombineAndTheMemoryIsForecast) {
    const test::ThreadCount on_any_machine(2);
    const Simulation one = undersampled("brain");
    const Simulation series = undersampled("brain", 4);
    const std::vector<std::pair<const Simulation*, Terms>> cases = {
        {&one, {{"tv", 1e-2}}},
        {&one, {{"wavelet", 3e-2}}},
        {&one, {{"tv", 1e-2}, {"wavelet", 1e-2}, {"identity", 1e-3}}},
        {&series, {{"llr", 1e-2}}},
        {&series, {{"llr", 1e-2}, {"tv", 3e-3}, {"roughness", 1e-3}}},
    };
    for (const auto& [simulation, terms] : cases) {
        const std::vector<FrameResult> results = run(*simulation, terms);
        EXPECT_EQ(results.size(), simulation->scan.frames.size());
        const AdmmReport& report = results.front().admm.value();
        EXPECT_GE(report.iterations, 5);
        EXPECT_LT(report.objectives.back(), report.objectives.front());
        EXPECT_LT(report.residuals.back(), 0.05) << terms.size();
        const MemoryPlan& plan = results.front().memory;
        const std::size_t peak = backend_->memory().peak();
        EXPECT_LE(peak, plan.peak_bytes) << terms.size();
        EXPECT_LT(plan.peak_bytes - plan.host_bytes, 1.6 * static_cast<double>(peak - plan.host_bytes) + 600e3)
            << terms.size();
    }
}

TEST_P(SparseReconstruction, EachFrameOfASeriesHasItsGFactor) {
    const Simulation series = undersampled("brain", 3);
    ReconstructOptions options;
    options.measure_accuracy = false;
    options.regularisation.terms = {{"llr", 1e-2}};
    options.admm.iterations = 3;
    options.regularisation.g_factor_draws = 2;
    RunControl control;
    Scan scan = series.scan;
    const std::vector<FrameResult> results = reconstruct(scan, *backend_, options, control);
    ASSERT_EQ(results.size(), 3U);
    for (const FrameResult& result : results) {
        ASSERT_EQ(result.extras.size(), 1U);
        EXPECT_EQ(result.extras.front().name, "uncertainty/g_factor");
    }
}

/// Its map is not that of the other frames, which have its data.
TEST_P(SparseReconstruction, ACoilWithoutDataInOneFrameOfASeriesIsLeftOutThereAlone) {
    const Simulation whole = undersampled("brain", 4);
    Simulation lacking = whole;
    Frame& frame = lacking.scan.frames[2];
    std::fill_n(frame.kspace.begin() + frame.sample_count(), frame.sample_count(), cfloat(0));
    EXPECT_LT(error(lacking, {{"llr", 1e-2}}), 1.3 * error(whole, {{"llr", 1e-2}}));
}

TEST_P(SparseReconstruction, ASeriesOfOneFrameIsRefused) {
    const Simulation one = undersampled("brain");
    test::expect_error<UsageError>([&] { run(one, {{"llr", 1e-3}}); }, {"`prior` llr", "one frame", "tv or wavelet"});
}

INSTANTIATE_TEST_SUITE_P(, SparseReconstruction, test::every_backend(), test::backend_name);

TEST(SparseReconstructionOnRanks, AnyNumberOfThemGivesTheImageOfOne) {
    const Simulation one = undersampled("brain");
    const Simulation series = undersampled("brain", 3);
    ReconstructOptions options;
    options.precision = Precision::double_;
    options.measure_accuracy = false;
    options.admm = {.iterations = 8, .stop = 0};
    for (const bool several : {false, true}) {
        options.regularisation.terms = {{several ? "llr" : "tv", 1e-3}};
        std::vector<std::vector<cdouble>> images;
        for (const int ranks : {1, 3}) {
            Scan scan = (several ? series : one).scan;
            RunControl control;
            const std::vector<FrameResult> results = reconstruct(scan, test::cpu_team(ranks), options, control);
            images.emplace_back(results.back().image.begin(), results.back().image.end());
        }
        EXPECT_LT(test::relative_difference(images[1], images[0]), 1e-6);  // stored in single precision
    }
}

}  // namespace
}  // namespace recon
