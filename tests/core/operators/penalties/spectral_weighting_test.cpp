#include "core/operators/penalties/spectral_weighting.hpp"

#include <gtest/gtest.h>

#include "core/backend/transfer_by_pieces.hpp"
#include "core/base/error.hpp"
#include "tests/support/backends.hpp"
#include "tests/support/operator_properties.hpp"

namespace recon {
namespace {

class SpectralWeightingOnEveryBackend : public test::EveryBackend {
protected:
    template <class Factor>
    SpectralWeighting weighting(PerAxis<Index> matrix, Precision precision, Factor factor) {
        Array factors(*backend_, Shape::image(circulant_grid(matrix)), precision);
        upload_by_pieces(factors, factor);
        return {Shape::image(matrix), std::move(factors)};
    }
};

double some_factor(std::size_t i) { return 0.1 + static_cast<double>(i * 7 % 11); }

/// Dot test, linearity, normal: a few roundings of an FFT.
TEST_P(SpectralWeightingOnEveryBackend, IsALinearOperatorWithItsAdjoint) {
    for (const PerAxis<Index> matrix :
         {PerAxis<Index>{1, 1, 1}, PerAxis<Index>{13, 1, 1}, PerAxis<Index>{7, 12, 1}, PerAxis<Index>{5, 11, 3}}) {
        for (const Precision precision : {Precision::single, Precision::double_}) {
            const double rounding = precision == Precision::single ? 3e-6 : 1e-14;
            const SpectralWeighting w = weighting(matrix, precision, some_factor);
            EXPECT_LT(test::adjoint_error(w), 10 * rounding);
            EXPECT_LT(test::linearity_error(w), rounding);
            EXPECT_LT(test::normal_error(w), rounding);
        }
    }
}

/// Factors 1: the energy is that of the image, times the points of the grid [Parseval].
TEST_P(SpectralWeightingOnEveryBackend, KeepsTheEnergy) {
    const PerAxis<Index> matrix{7, 11, 1}, grid = circulant_grid(matrix);
    const double points = static_cast<double>(grid[0] * grid[1]);
    const SpectralWeighting w = weighting(matrix, Precision::double_, [](std::size_t) { return 1.0; });
    const Array x = test::random_array(*backend_, w.domain(), Precision::double_, 3);
    Array normal(*backend_, w.domain(), Precision::double_);
    w.normal(x, normal);
    backend_->axpby(-points, x, 1, normal);
    EXPECT_LT(norm(normal), 1e-12 * points * norm(x));
}

TEST_P(SpectralWeightingOnEveryBackend, RefusesFactorsOfAnotherGrid) {
    EXPECT_THROW(
        SpectralWeighting(Shape::image({7, 11, 1}), Array(*backend_, Shape::image({8, 11, 1}), Precision::single)),
        ShapeError);
}

INSTANTIATE_TEST_SUITE_P(, SpectralWeightingOnEveryBackend, test::every_backend(), test::backend_name);

}  // namespace
}  // namespace recon
