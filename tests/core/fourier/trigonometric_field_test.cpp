#include "core/fourier/field/trigonometric_field.hpp"

#include <gtest/gtest.h>

#include "tests/core/fourier/trigonometric_fields.hpp"
#include "tests/support/at_cpu_level.hpp"

namespace recon {
namespace {

class TrigonometricFieldAtLevel : public test::AtCpuLevel {};

TEST_P(TrigonometricFieldAtLevel, RowsAreTheSumsOfTheDefinition) {
    const PerAxis<Index> matrix{19, 6, 5};
    constexpr Index components = 3;
    for (const auto& [sign, factor] :
         {std::pair{TrigonometricField::Sign::plus, 1.0}, {TrigonometricField::Sign::minus, -1.0}}) {
        const TrigonometricField field = test::random_field(components, {4, 2, 3}, sign);
        TrigonometricField::Rows rows(field, matrix);
        std::vector<cfloat> values;
        // a plane that was left and another one of the same y
        for (const auto& [y, z] : {std::pair<Index, Index>{0, 0}, {5, 0}, {5, 3}, {1, 4}, {2, 0}}) {
            rows.evaluate(y, z, values);
            ASSERT_EQ(static_cast<Index>(values.size()), matrix[0] * components);
            for (Index x = 0; x < matrix[0]; ++x) {
                for (Index c = 0; c < components; ++c) {
                    const cdouble expected = test::value_of(field, factor, c, test::position_of(matrix, x, y, z));
                    EXPECT_LT(std::abs(cdouble(values[c * matrix[0] + x]) - expected), 1e-4)
                        << x << " " << y << " " << z;
                }
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(, TrigonometricFieldAtLevel, test::every_cpu_level(),
                         [](const auto& info) { return name_of(info.param); });

}  // namespace
}  // namespace recon
