// How near --lambda auto comes to the best lambda, on other scans than those of the table in docs/lambda.md.
#include <gtest/gtest.h>

#include "tests/benchmark/support/lambda_cases.hpp"

namespace recon {
namespace {

class SimulatedLambda : public ::testing::TestWithParam<benchmark::LambdaCase> {};

/// Above the error of the best lambda: 10 % is what is wanted. The Shepp-Logan phantom misses it, as most of its cases
/// in docs/lambda.md do, by up to 22 %.
double allowed_excess(const benchmark::LambdaCase& scan) { return scan.phantom == "shepp-logan" ? 0.25 : 0.10; }

TEST_P(SimulatedLambda, AutomaticLambdaIsNearTheBest) {
    const auto backend = make_cpu_backend(2);
    const Simulation simulation = benchmark::simulate(GetParam(), *backend);
    ReconstructOptions options;
    options.cg.iterations = 60;
    options.measure_accuracy = false;
    options.regularisation.terms = {{PriorKind::identity, 0, LambdaOrigin::automatic}};
    const FrameResult result = benchmark::reconstructed(simulation, *backend, options);
    ASSERT_TRUE(result.lambda);
    EXPECT_TRUE(result.lambda->choice.is_inside);
    const benchmark::Oracle best = benchmark::best_lambda(simulation, *backend, options);
    EXPECT_LT(benchmark::nrmse(result.image, simulation.truth), (1 + allowed_excess(GetParam())) * best.nrmse)
        << "chosen " << result.lambda->choice.lambda << ", best " << best.lambda;
}

INSTANTIATE_TEST_SUITE_P(, SimulatedLambda,
                         ::testing::Values(benchmark::LambdaCase{"brain", 5, 2}, benchmark::LambdaCase{"blobs", 15, 1},
                                           benchmark::LambdaCase{"shepp-logan", 15, 4}));

}  // namespace
}  // namespace recon
