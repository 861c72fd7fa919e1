#include "core/operators/circulant_filter.hpp"

#include <gtest/gtest.h>

#include "core/backend/transfer_by_pieces.hpp"
#include "core/base/error.hpp"
#include "tests/support/backends.hpp"
#include "tests/support/operator_properties.hpp"
#include "tests/support/random.hpp"

namespace recon {
namespace {

class CirculantFilters : public test::EveryBackend {
protected:
    CirculantFilter filter(PerAxis<Index> size, double factor_of_first, double factor) {
        Array factors(*backend_, Shape::image(circulant_grid(size)), Precision::double_);
        upload_by_pieces(factors, [=](std::size_t i) { return i == 0 ? factor_of_first : factor; });
        return {Shape::image(size), factors};
    }
};

TEST_P(CirculantFilters, MultiplyFrequencies) {
    const CirculantFilter doubled_mean = filter({8, 6, 1}, 2, 1);
    const Array x = test::random_array(*backend_, doubled_mean.domain(), Precision::double_, 1);
    Array y(*backend_, x.shape(), Precision::double_);
    doubled_mean.forward(x, y);
    const std::vector<cdouble> before = download<double>(x), after = download<double>(y);
    cdouble mean = 0;
    for (const cdouble& value : before) {
        mean += value / static_cast<double>(before.size());
    }
    for (std::size_t i = 0; i < before.size(); ++i) {
        EXPECT_LT(std::abs(after[i] - before[i] - mean), 1e-13);
    }
}

TEST_P(CirculantFilters, AreSelfAdjoint) {
    for (const PerAxis<Index> size : {PerAxis<Index>{13, 1, 1}, PerAxis<Index>{7, 10, 1}, PerAxis<Index>{5, 6, 11}}) {
        EXPECT_LT(test::adjoint_error(filter(size, 7, 0.5)), 1e-12);
    }
}

TEST_P(CirculantFilters, RefuseFactorsOfAnotherGrid) {
    const Array factors(*backend_, Shape::image({4, 5, 1}), Precision::double_);
    EXPECT_THROW(CirculantFilter(Shape::image({4, 4, 1}), factors), ShapeError);
}

INSTANTIATE_TEST_SUITE_P(, CirculantFilters, test::every_backend(), test::backend_name);

}  // namespace
}  // namespace recon
