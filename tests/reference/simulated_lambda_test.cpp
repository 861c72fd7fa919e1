// How near --lambda auto comes to the best lambda, on other scans than those of the table in docs/lambda.md.
#include <gtest/gtest.h>

#include "tests/support/lambda_cases.hpp"

namespace recon {
namespace {

class SimulatedLambda : public ::testing::TestWithParam<test::LambdaCase> {};

TEST_P(SimulatedLambda, AutomaticLambdaIsNearTheBest) {
    const auto backend = make_cpu_backend(2);
    const Simulation simulation = test::simulate(GetParam(), *backend);
    ReconstructOptions options;
    options.cg.iterations = 60;
    options.measure_accuracy = false;
    options.regularisation.terms = {{GetParam().prior, 0.1, LambdaOrigin::automatic}};
    const FrameResult result = test::reconstructed(simulation, *backend, options);
    ASSERT_TRUE(result.lambda);
    EXPECT_TRUE(result.lambda->choice.is_inside);
    const test::Oracle best = test::best_lambda(simulation, *backend, options);
    EXPECT_LT(test::nrmse(result.image, simulation.truth), 1.1 * best.nrmse)
        << "chosen " << result.lambda->choice.lambda << ", best " << best.lambda;
}

INSTANTIATE_TEST_SUITE_P(, SimulatedLambda,
                         ::testing::Values(test::LambdaCase{"brain", 5, 2}, test::LambdaCase{"blobs", 15, 1},
                                           test::LambdaCase{"shepp-logan", 15, 4},
                                           test::LambdaCase{"brain", 10, 2, "roughness"},
                                           test::LambdaCase{"brain", 20, 3, "tv"}));

}  // namespace
}  // namespace recon
