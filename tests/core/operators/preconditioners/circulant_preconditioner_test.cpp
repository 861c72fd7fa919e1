// Eigenvalues that come as a list, and those that are made on their way to the backend.
#include "core/operators/preconditioners/circulant_preconditioner.hpp"

#include <gtest/gtest.h>

#include "core/base/error.hpp"
#include "tests/support/backends.hpp"
#include "tests/support/random.hpp"

namespace recon {
namespace {

class CirculantEigenvalues : public test::EveryBackend {};

TEST_P(CirculantEigenvalues, MayBeMadeOnTheWay) {
    const PerAxis<Index> matrix{7, 6, 5};
    const Shape shape = Shape::image(matrix);
    const auto value = [](std::size_t i) { return 1 + static_cast<double>(i * i % 17); };
    std::vector<double> spectrum;
    for (Index i = 0; i < Shape::image(circulant_grid(matrix)).element_count(); ++i) {
        spectrum.push_back(value(static_cast<std::size_t>(i)));
    }
    const CirculantPreconditioner of_list(*backend_, shape, spectrum, Precision::double_);
    const CirculantPreconditioner of_function(*backend_, shape, of_each_frequency(value), Precision::double_);
    const Array x = test::random_array(*backend_, shape, Precision::double_, 6);
    Array expected(*backend_, shape, Precision::double_), found(*backend_, shape, Precision::double_);
    of_list.forward(x, expected);
    of_function.forward(x, found);
    EXPECT_EQ(download<double>(found), download<double>(expected));
}

TEST_P(CirculantEigenvalues, ArePositiveAndThoseOfTheGrid) {
    const Shape shape = Shape::image({4, 5, 1});
    const FrequencyRuns with_zero = of_each_frequency([](std::size_t i) { return i == 2 ? 0.0 : 1.0; });
    EXPECT_THROW(CirculantPreconditioner(*backend_, shape, with_zero, Precision::double_), ShapeError);
    for (const std::size_t count : {19, 21}) {
        const std::vector<double> spectrum(count, 1.0);
        EXPECT_THROW(CirculantPreconditioner(*backend_, shape, spectrum, Precision::double_), ShapeError);
    }
}

INSTANTIATE_TEST_SUITE_P(, CirculantEigenvalues, test::every_backend(), test::backend_name);

}  // namespace
}  // namespace recon
