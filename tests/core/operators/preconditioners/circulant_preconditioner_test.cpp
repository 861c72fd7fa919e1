// Eigenvalues that come as a list, and those that are where the backend computes.
#include "core/operators/preconditioners/circulant_preconditioner.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/base/error.hpp"
#include "tests/support/backends.hpp"
#include "tests/support/random.hpp"

namespace recon {
namespace {

class CirculantEigenvalues : public test::EveryBackend {};

TEST_P(CirculantEigenvalues, MayBeAListOrAnArray) {
    const PerAxis<Index> matrix{7, 6, 5};
    const Shape shape = Shape::image(matrix), grid = Shape::image(circulant_grid(matrix));
    std::vector<double> list;
    for (Index i = 0; i < grid.element_count(); ++i) {
        list.push_back(1 + static_cast<double>(i * i % 17));
    }
    Array array(*backend_, grid, Precision::double_);
    upload_real(list, array);
    const CirculantPreconditioner of_list(*backend_, shape, list, Precision::double_);
    const CirculantPreconditioner of_array(shape, array);
    const Array x = test::random_array(*backend_, shape, Precision::double_, 6);
    Array expected(*backend_, shape, Precision::double_), found(*backend_, shape, Precision::double_);
    of_list.forward(x, expected);
    of_array.forward(x, found);
    EXPECT_EQ(download<double>(found), download<double>(expected));
}

TEST_P(CirculantEigenvalues, ArePositiveAndThoseOfTheGrid) {
    const Shape shape = Shape::image({4, 5, 1});
    for (const double value : {0.0, -1.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
        std::vector<double> spectrum(20, 1.0);
        spectrum[2] = value;
        EXPECT_THROW(CirculantPreconditioner(*backend_, shape, spectrum, Precision::double_), ShapeError) << value;
    }
    for (const std::size_t count : {19, 21}) {
        const std::vector<double> spectrum(count, 1.0);
        EXPECT_THROW(CirculantPreconditioner(*backend_, shape, spectrum, Precision::double_), ShapeError);
    }
    Array of_another(*backend_, Shape::image({5, 5, 1}), Precision::double_);
    backend_->fill(1, of_another);
    EXPECT_THROW(CirculantPreconditioner(shape, of_another), ShapeError);
}

INSTANTIATE_TEST_SUITE_P(, CirculantEigenvalues, test::every_backend(), test::backend_name);

}  // namespace
}  // namespace recon
