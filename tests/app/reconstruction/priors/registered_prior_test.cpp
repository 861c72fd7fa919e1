// Priors that register themselves from this file, used by name.
#include <gmock/gmock.h>

#include "app/reconstruction/reconstruction.hpp"
#include "core/backend/cpu/cpu_backend.hpp"
#include "core/base/error.hpp"
#include "core/operators/penalties/edge_weights.hpp"
#include "core/operators/penalties/finite_differences.hpp"
#include "core/operators/penalties/joint_sparsity.hpp"
#include "tests/support/backends.hpp"
#include "tests/support/error_matchers.hpp"
#include "tests/support/random.hpp"
#include "tests/support/sample_scan.hpp"

namespace recon {
namespace {

/// W = 2: as the identity with four times its lambda.
class Twice final : public LinearOperator {
public:
    explicit Twice(const PriorSite& site)
        : LinearOperator("twice", site.backend, site.image_shape, site.image_shape, site.precision) {}

private:
    void do_forward(ConstArrayView x, ArrayView y) const override {
        backend().copy(x, y);
        backend().scale(2, y);
    }
    void do_adjoint(ConstArrayView y, ArrayView x) const override { do_forward(y, x); }
};

Prior make_twice(const PriorSite& site) { return {.transform = std::make_shared<const Twice>(site)}; }

/// Total variation, put together here.
Prior make_differences_jointly_sparse(const PriorSite& site) {
    const auto differences = std::make_shared<const FiniteDifferences>(
        site.backend, site.image_shape, gradient_factors(site.matrix_size(), site.grid.voxel_size_mm()),
        site.precision);
    return {.transform = differences,
            .penalty = std::make_shared<const JointSparsity>(std::ssize(differences->axes()))};
}

const Registration twice(prior_kinds(), PriorKind{.name = "test-twice", .help = "a test's", .make = make_twice});
const Registration sparse(prior_kinds(), PriorKind{.name = "test-sparse",
                                                   .help = "a test's",
                                                   .quadratic = false,
                                                   .make = make_differences_jointly_sparse});

std::vector<cdouble> image_with(const std::string& prior, const std::string& lambda) {
    Scan scan = test::sample_scan({.matrix = {7, 6, 1}, .coils = 2, .readouts = 5, .samples = 11});
    ReconstructOptions options;
    options.precision = Precision::double_;
    options.cg = {.iterations = 200, .stop = 1e-12};
    options.measure_accuracy = false;
    options.regularisation = parse_regularisation({prior}, {lambda});
    const auto backend = make_cpu_backend(0);
    RunControl control;
    const FrameResult result = reconstruct(scan, *backend, options, control).front();
    EXPECT_EQ(result.admm.has_value(), !prior_kinds().get(prior).quadratic);
    return {result.image.begin(), result.image.end()};
}

TEST(RegisteredPrior, ASquareFromItsOwnFileIsUsedByName) {
    EXPECT_LT(test::relative_difference(image_with("test-twice", "0.025"), image_with("identity", "0.1")), 1e-6);
    EXPECT_GT(test::relative_difference(image_with("test-twice", "0.025"), image_with("identity", "0.025")), 1e-2);
}

TEST(RegisteredPrior, OneThatIsNoSquareIsSolvedForByAdmm) {
    EXPECT_EQ(image_with("test-sparse", "0.01"), image_with("tv", "0.01"));
}

TEST(RegisteredPrior, IsKnownToTheCommandLine) {
    EXPECT_THAT(prior_list(true), ::testing::HasSubstr("test-twice (a test's)"));
    EXPECT_THAT(prior_list(false), ::testing::HasSubstr("test-sparse (a test's)"));
    EXPECT_EQ(image_title(parse_regularisation({"test-sparse"}, {"1"})), "test-sparse");
    test::expect_error<UsageError>([] { parse_regularisation({"test-twise"}, {"1"}); },
                                   {"unknown prior 'test-twise'", "did you mean 'test-twice'?", "identity"});
}

}  // namespace
}  // namespace recon
