// A lambda that chooses itself, preconditioners and start images in whole reconstructions: the same on any number of
// ranks, within the memory that was forecast, the image of the same problem.
#include <gtest/gtest.h>

#include "app/reconstruction/reconstruction.hpp"
#include "core/base/cpu_memory.hpp"
#include "core/base/error.hpp"
#include "data/simulation/simulate_scan.hpp"
#include "tests/support/backends.hpp"
#include "tests/support/cpu_team.hpp"
#include "tests/support/error_matchers.hpp"
#include "tests/support/random.hpp"

namespace recon {
namespace {

Scan simulated_scan(Index coil_count) {
    SimulationOptions options;
    options.trajectory = "radial";
    options.request.matrix_size = {22, 21, 1};
    options.coil_count = coil_count;
    options.snr = 10;
    return simulate_scan(options).scan;
}

ReconstructOptions automatic(LambdaMethod method) {
    ReconstructOptions options;
    options.cg.iterations = 40;
    options.measure_accuracy = false;
    options.regularisation.terms = {{"identity", 0, LambdaOrigin::automatic}};
    options.regularisation.lambda.method = method;
    return options;
}

FrameResult reconstruct_on(int rank_count, Scan scan, const ReconstructOptions& options) {
    RunControl control;
    return std::move(reconstruct(scan, test::cpu_team(rank_count), options, control).front());
}

double difference(const std::vector<cfloat>& a, const std::vector<cfloat>& b) {
    return test::relative_difference({a.begin(), a.end()}, {b.begin(), b.end()});
}

/// Coils divided, samples divided. Sums in another order round otherwise, which conjugate gradients amplify until a
/// solution may stop an iteration earlier: points agree to what solutions are good for
/// (solver/lambda/lambda_selection.cpp); to 3e-6 where that is 1e-13. A rank whose part were left out, or counted
/// twice, would be off by a factor.
TEST(AutomaticLambda, IsTheSameForAnyNumberOfRanks) {
    for (const Index coils : {1, 3}) {
        for (const SampleWeighting weighting : {SampleWeighting::none, SampleWeighting::density}) {
            ReconstructOptions options = automatic(LambdaMethod::image);
            options.precision = Precision::double_;
            options.weighting = weighting;
            const FrameResult one = reconstruct_on(1, simulated_scan(coils), options);
            const FrameResult two = reconstruct_on(2, simulated_scan(coils), options);
            ASSERT_TRUE(one.lambda && two.lambda);
            EXPECT_NEAR(two.lambda->choice.lambda / one.lambda->choice.lambda, 1, 0.05);
            ASSERT_EQ(two.lambda->choice.curve.size(), one.lambda->choice.curve.size());
            for (std::size_t i = 0; i < one.lambda->choice.curve.size(); ++i) {
                const LambdaPoint &a = one.lambda->choice.curve[i], &b = two.lambda->choice.curve[i];
                EXPECT_NEAR(b.misfit / a.misfit, 1, 0.02);
                EXPECT_NEAR(b.freedom / a.freedom, 1, 0.01);
                EXPECT_NEAR(b.image_misfit / a.image_misfit, 1, 0.02);
                EXPECT_NEAR(b.image_freedom / a.image_freedom, 1, 0.01);
            }
            EXPECT_NEAR(two.lambda->choice.data.count, one.lambda->choice.data.count,
                        1e-9 * one.lambda->choice.data.count);
            EXPECT_LT(difference(two.image, one.image), 0.02);
        }
    }
}

/// The curve's misfit, made without transforms, is that of the image at its lambda: in the ratio of two points.
TEST(AutomaticLambda, MisfitOfTheCurveIsThatOfTheImage) {
    for (const SampleWeighting weighting : {SampleWeighting::none, SampleWeighting::density}) {
        ReconstructOptions options = automatic(LambdaMethod::gcv);
        options.weighting = weighting;
        const Scan scan = simulated_scan(3);
        const FrameResult chosen = reconstruct_on(1, scan, options);
        ASSERT_TRUE(chosen.lambda);
        const std::vector<LambdaPoint>& curve = chosen.lambda->choice.curve;
        const auto residual_at = [&](const LambdaPoint& point) {
            ReconstructOptions given = options;
            given.regularisation.terms = {{"identity", point.lambda}};
            given.cg.iterations = 200;
            return reconstruct_on(1, scan, given).data_residual;
        };
        const LambdaPoint &middle = curve[curve.size() / 2], &last = curve.back();
        const double ratio = std::pow(residual_at(last) / residual_at(middle), 2);
        EXPECT_NEAR(last.misfit / middle.misfit, ratio, 0.01 * ratio);  // solutions stop a thousandth short
    }
}

/// Total variation: ADMM, degrees of freedom by finite differences.
TEST(AutomaticLambda, IsFoundForTotalVariation) {
    for (const LambdaMethod method : {LambdaMethod::image, LambdaMethod::gcv}) {
        ReconstructOptions options = automatic(method);
        options.regularisation = parse_regularisation({"tv"}, {"auto"});
        options.regularisation.lambda.method = method;
        const auto backend = make_cpu_backend(1);
        Scan scan = simulated_scan(2);
        RunControl control;
        const FrameResult result = std::move(reconstruct(scan, *backend, options, control).front());
        EXPECT_LE(backend->memory().peak(), result.memory.peak_bytes);
        ASSERT_TRUE(result.lambda);
        const std::vector<LambdaPoint>& curve = result.lambda->choice.curve;
        EXPECT_TRUE(result.lambda->choice.is_inside) << name_of(method);
        EXPECT_LT(curve.back().freedom, curve.front().freedom);  // a large lambda leaves few
        EXPECT_GT(curve.back().misfit, curve.front().misfit);
        EXPECT_LT(curve.front().freedom, 1.2 * 22 * 21);  // voxels, and the scatter of one draw
    }
}

TEST(AutomaticLambda, RefusesWhatItCannotChoose) {
    EXPECT_THROW(parse_regularisation({"llr"}, {"auto"}), UsageError);
    EXPECT_THROW(parse_regularisation({"identity", "tv"}, {"auto", "1e-3"}), UsageError);
    EXPECT_NO_THROW(parse_regularisation({"identity", "tv"}, {"1e-3", "auto"}));
}

struct Way {
    PreconditionerKind preconditioner;
    StartImage start;
    LambdaOrigin lambda;
};

class WaysToSolve : public ::testing::TestWithParam<std::tuple<test::BackendFactory, int>> {
protected:
    static Way way() {
        return std::vector<Way>{{PreconditionerKind::none, StartImage::gridded, LambdaOrigin::given},
                                {PreconditionerKind::jacobi, StartImage::zero, LambdaOrigin::given},
                                {PreconditionerKind::circulant, StartImage::zero, LambdaOrigin::given},
                                {PreconditionerKind::circulant, StartImage::gridded, LambdaOrigin::automatic},
                                {PreconditionerKind::none, StartImage::zero, LambdaOrigin::automatic}}
            .at(std::get<1>(GetParam()));
    }
    std::unique_ptr<Backend> backend_ = std::get<0>(GetParam()).make();
};

TEST_P(WaysToSolve, LeadToTheSameImageWithinTheMemoryForecast) {
    for (const Index coils : {1, 5}) {
        Scan scan = simulated_scan(coils);
        ReconstructOptions options;
        options.cg = {.iterations = 300, .stop = 1e-6};
        options.measure_accuracy = false;
        options.regularisation.terms = {{"identity", 0.03, way().lambda}};
        options.preconditioner = way().preconditioner;
        options.start = way().start;
        RunControl control;
        const FrameResult result = std::move(reconstruct(scan, *backend_, options, control).front());
        EXPECT_LE(backend_->memory().peak(), result.memory.peak_bytes);
        EXPECT_EQ(result.lambda.has_value(), way().lambda == LambdaOrigin::automatic);

        ReconstructOptions plain = options;
        plain.preconditioner = PreconditionerKind::none;
        plain.start = StartImage::zero;
        plain.regularisation.terms = {
            {"identity", result.lambda ? result.lambda->choice.lambda : options.regularisation.terms[0].lambda}};
        const FrameResult expected = std::move(reconstruct(scan, *backend_, plain, control).front());
        // a residual of 1e-6 divided by the smallest eigenvalue, lambda, relative to the largest, some tens
        EXPECT_LT(difference(result.image, expected.image), 1e-3);
    }
}

INSTANTIATE_TEST_SUITE_P(, WaysToSolve, ::testing::Combine(test::every_backend(), ::testing::Range(0, 5)),
                         [](const auto& info) {
                             return std::get<0>(info.param).name + "_" + std::to_string(std::get<1>(info.param));
                         });

TEST(Preconditioning, CirculantSavesIterationsOnARadialScan) {
    ReconstructOptions options;
    options.cg = {.iterations = 300, .stop = 1e-4};
    options.measure_accuracy = false;
    options.regularisation.terms = {{"identity", 1e-3}};
    const FrameResult plain = reconstruct_on(1, simulated_scan(1), options);
    options.preconditioner = PreconditionerKind::circulant;
    const FrameResult preconditioned = reconstruct_on(1, simulated_scan(1), options);
    EXPECT_LT(preconditioned.cg.iterations, 0.7 * plain.cg.iterations);
}

TEST(AutomaticLambda, DataThatAreAllZeroAreRefused) {
    Scan scan = simulated_scan(1);
    std::fill(scan.frames[0].kspace.begin(), scan.frames[0].kspace.end(), cfloat(0));
    const auto backend = make_cpu_backend(1);
    RunControl control;
    EXPECT_THROW(reconstruct(scan, *backend, automatic(LambdaMethod::gcv), control), InputError);
}

}  // namespace
}  // namespace recon
