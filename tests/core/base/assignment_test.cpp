#include "core/base/assignment.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

namespace recon {
namespace {

double sum_of(const std::vector<double>& costs, const std::vector<Index>& columns) {
    double sum = 0;
    for (Index row = 0; row < std::ssize(columns); ++row) {
        sum += costs[row * std::ssize(columns) + columns[row]];
    }
    return sum;
}

TEST(Assignment, IsTheLeastOfAll) {
    std::mt19937 random(1);
    std::uniform_real_distribution<double> uniform(-1, 1);
    for (Index size = 0; size <= 7; ++size) {
        for (int trial = 0; trial < 20; ++trial) {
            std::vector<double> costs(size * size);
            std::ranges::generate(costs,
                                  [&] { return trial % 2 == 0 ? uniform(random) : std::round(2 * uniform(random)); });
            std::vector<Index> columns(size);
            std::iota(columns.begin(), columns.end(), 0);
            double least = sum_of(costs, columns);
            while (std::ranges::next_permutation(columns).found) {
                least = std::min(least, sum_of(costs, columns));
            }
            std::vector<Index> found = least_assignment(costs, size);
            EXPECT_NEAR(sum_of(costs, found), least, 1e-12) << size;
            std::ranges::sort(found);
            std::iota(columns.begin(), columns.end(), 0);
            EXPECT_EQ(found, columns);
        }
    }
}

TEST(Assignment, OfManyFindsACycle) {
    constexpr Index size = 64;
    std::vector<double> costs(size * size, 1.0);
    for (Index row = 0; row < size; ++row) {
        costs[row * size + (row + 3) % size] = 0;
        costs[row * size + row] = 0.5;  // which exchanges of two do not leave
    }
    const std::vector<Index> found = least_assignment(costs, size);
    for (Index row = 0; row < size; ++row) {
        EXPECT_EQ(found[row], (row + 3) % size);
    }
}

}  // namespace
}  // namespace recon
