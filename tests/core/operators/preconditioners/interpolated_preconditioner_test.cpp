#include "core/operators/preconditioners/interpolated_preconditioner.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/operators/preconditioners/circulant_preconditioner.hpp"
#include "solver/conjugate_gradient.hpp"
#include "tests/support/backends.hpp"
#include "tests/support/operator_properties.hpp"
#include "tests/support/random.hpp"

namespace recon {
namespace {

class InterpolatedPreconditioners : public test::EveryBackend {
protected:
    static constexpr Index n = 12;
    const Shape image_ = Shape::image({n, n, 1});

    /// d = sqrt(share) where x < n / 2, sqrt(1 - share) elsewhere
    std::shared_ptr<const Array> root_share(double share) {
        std::vector<double> values;
        for (Index i = 0; i < n * n; ++i) {
            values.push_back(std::sqrt(i % n < n / 2 ? share : 1 - share));
        }
        Array result(*backend_, image_, Precision::double_);
        upload_real(values, result);
        return std::make_shared<const Array>(std::move(result));
    }
    std::unique_ptr<const CirculantPreconditioner> flat(double eigenvalue) {
        return std::make_unique<CirculantPreconditioner>(*backend_, image_, std::vector<double>(n * n, eigenvalue),
                                                         Precision::double_);
    }
    InterpolatedPreconditioner of(double share, double first, double second) {
        std::vector<InterpolatedPreconditioner::Part> parts;
        parts.push_back({root_share(share), flat(first)});
        parts.push_back({root_share(1 - share), flat(second)});
        return InterpolatedPreconditioner(std::move(parts));
    }
};

TEST_P(InterpolatedPreconditioners, AreSelfAdjointAndPositive) {
    const InterpolatedPreconditioner p = of(0.2, 3, 7);
    EXPECT_LT(test::adjoint_error(p), 1e-12);
    const Array x = test::random_array(*backend_, image_, Precision::double_, 1);
    Array y(*backend_, image_, Precision::double_);
    p.forward(x, y);
    EXPECT_GT(backend_->dot(x, y).real(), 0);
}

TEST_P(InterpolatedPreconditioners, AreTheOneWhereAllPartsAreAlike) {
    const InterpolatedPreconditioner p = of(0.3, 4, 4);
    const Array x = test::random_array(*backend_, image_, Precision::double_, 1);
    Array y(*backend_, image_, Precision::double_), expected(*backend_, image_, Precision::double_);
    p.forward(x, y);
    flat(4)->forward(x, expected);
    backend_->axpby(-1, expected, 1, y);
    EXPECT_LT(norm(y), 1e-12 * norm(expected));
}

/// A system that is 3 in one half of the image and 300 in the other: the exact inverse.
TEST_P(InterpolatedPreconditioners, SolveWhereEachPartIsRight) {
    std::vector<double> values;
    for (Index i = 0; i < n * n; ++i) {
        values.push_back(1.0 / (i % n < n / 2 ? 3 : 300));
    }
    Array diagonal(*backend_, image_, Precision::double_);
    upload_real(values, diagonal);
    const DiagonalPreconditioner system(std::move(diagonal));
    const InterpolatedPreconditioner p = of(1, 3, 300);
    const Array b = test::random_array(*backend_, image_, Precision::double_, 5);
    Array x(*backend_, image_, Precision::double_);
    backend_->fill(0, x);
    EXPECT_EQ(solve_cg(system, b, x, {.iterations = 9, .stop = 1e-10}, nullptr, &p).iterations, 1);
}

INSTANTIATE_TEST_SUITE_P(, InterpolatedPreconditioners, test::every_backend(), test::backend_name);

}  // namespace
}  // namespace recon
