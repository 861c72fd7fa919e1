#include "core/operators/even_grid.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "core/base/error.hpp"
#include "tests/support/backends.hpp"

namespace recon {
namespace {

class EvenGrids : public ::testing::TestWithParam<PerAxis<Index>> {};

/// By runs of any length, over the ends of rows and planes.
TEST_P(EvenGrids, FindEachPointInTheOctant) {
    const PerAxis<Index> n = GetParam();
    const EvenGrid grid(n);
    ASSERT_EQ(grid.point_count(), n[0] * n[1] * n[2]);
    const auto folded = [&](int axis, Index i) { return std::min(i, n[axis] - i); };
    std::vector<Index> expected;
    for (Index i = 0; i < grid.point_count(); ++i) {
        const Index x = i % n[0], y = i / n[0] % n[1], z = i / (n[0] * n[1]);
        expected.push_back(folded(0, x) + grid.octant()[0] * (folded(1, y) + grid.octant()[1] * folded(2, z)));
        EXPECT_LT(expected.back(), grid.octant_count());
    }
    for (const Index length : {Index{1}, Index{3}, n[0], n[0] + 1, grid.point_count()}) {
        std::vector<Index> found;
        for (Index first = 0; first < grid.point_count(); first += length) {
            grid.visit(first, std::min(first + length, grid.point_count()), [&](Index i, Index at) {
                EXPECT_EQ(i, std::ssize(found));
                found.push_back(at);
            });
        }
        EXPECT_EQ(found, expected) << length;
    }
}

class EvenArrays : public test::EveryBackend {};

TEST_P(EvenArrays, HoldAtEachPointWhatTheOctantSays) {
    for (const PerAxis<Index> n : {PerAxis<Index>{1, 1, 1}, PerAxis<Index>{7, 1, 1}, PerAxis<Index>{4, 5, 6}}) {
        const EvenGrid grid(n);
        const Array array =
            even_array(*backend_, n, Precision::double_, [](std::size_t at) { return 1 + static_cast<double>(at); });
        EXPECT_EQ(array.shape(), Shape::image(n));
        const std::vector<cdouble> found = download<double>(array);
        grid.visit(0, grid.point_count(), [&](Index i, Index at) {
            EXPECT_EQ(found[static_cast<std::size_t>(i)], cdouble(1 + static_cast<double>(at))) << i;
        });
    }
}

TEST_P(EvenArrays, AreOfTheirOwnOctant) {
    const Array octant(*backend_, Shape::image({3, 3, 3}), Precision::single);
    EXPECT_THROW(spread_octant(octant, {4, 6, 4}), ShapeError);
}

INSTANTIATE_TEST_SUITE_P(, EvenArrays, test::every_backend(), test::backend_name);

INSTANTIATE_TEST_SUITE_P(, EvenGrids,
                         ::testing::Values(PerAxis<Index>{1, 1, 1}, PerAxis<Index>{7, 1, 1}, PerAxis<Index>{2, 3, 1},
                                           PerAxis<Index>{4, 5, 6}, PerAxis<Index>{5, 4, 1}));

}  // namespace
}  // namespace recon
