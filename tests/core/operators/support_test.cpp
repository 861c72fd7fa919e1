#include "core/operators/support.hpp"

#include "core/backend/backend.hpp"
#include "core/base/error.hpp"
#include "core/operators/operator_algebra.hpp"
#include "core/operators/penalties/finite_differences.hpp"
#include "tests/support/backends.hpp"
#include "tests/support/operator_properties.hpp"

namespace recon {
namespace {

const Shape image_shape = Shape::image({7, 5, 3});
constexpr double support_rounding = 1e-13;  // tens of operations in double

class SupportOnEveryBackend : public test::EveryBackend {
protected:
    Support make_support() const {
        std::vector<cdouble> mask(image_shape.element_count());
        for (std::size_t i = 0; i < mask.size(); ++i) {
            mask[i] = i % 3 == 0 ? 0 : 1;
        }
        Array array(*backend_, image_shape, Precision::double_);
        upload(mask, array);
        return Support(std::move(array));
    }
    Support support_ = make_support();
};

TEST_P(SupportOnEveryBackend, IsAProjection) {
    EXPECT_LT(test::adjoint_error(support_), support_rounding);
    EXPECT_LT(test::linearity_error(support_), support_rounding);
    EXPECT_LT(test::normal_error(support_), support_rounding);
    const Array x = test::random_array(*backend_, image_shape, Precision::double_, 1);
    Array inside(*backend_, image_shape, Precision::double_);
    support_.forward(x, inside);
    const std::vector<cdouble> before = download<double>(x), after = download<double>(inside);
    for (std::size_t i = 0; i < after.size(); ++i) {
        EXPECT_EQ(after[i], i % 3 == 0 ? 0.0 : before[i]);
    }
    Array in_place = x.clone();
    support_.restrict_to_support(in_place);
    EXPECT_EQ(download<double>(in_place), after);
}

TEST_P(SupportOnEveryBackend, OfASystemGivesNothingOutside) {
    const FiniteDifferences w(*backend_, image_shape, {1, 1, 1}, Precision::double_);
    const Normal normal(w);
    const Supported system(normal, support_);
    EXPECT_LT(test::adjoint_error(system), 10 * support_rounding);
    EXPECT_LT(test::linearity_error(system), support_rounding);
    const Array x = test::random_array(*backend_, image_shape, Precision::double_, 1);
    Array found(*backend_, image_shape, Precision::double_), expected(*backend_, image_shape, Precision::double_);
    system.forward(x, found);
    Array inside = x.clone();
    support_.restrict_to_support(inside);
    normal.forward(inside, expected);
    support_.restrict_to_support(expected);
    EXPECT_EQ(download<double>(found), download<double>(expected));
    EXPECT_EQ(download<double>(found)[0], 0.0);
}

TEST_P(SupportOnEveryBackend, RefusesASystemOfAnotherSize) {
    const Identity other(*backend_, Shape::image({7, 5, 2}), Precision::double_);
    EXPECT_THROW(Supported(other, support_), ShapeError);
}

INSTANTIATE_TEST_SUITE_P(, SupportOnEveryBackend, test::every_backend(), test::backend_name);

}  // namespace
}  // namespace recon
