#include "core/operators/preconditioners/smooth_frequencies.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "core/base/host_pages.hpp"

namespace recon {
namespace {

constexpr Index reach = 4;
constexpr std::array<double, 2 * reach + 1> weights{1 / 256.0,  8 / 256.0,  28 / 256.0, 56 / 256.0, 70 / 256.0,
                                                    56 / 256.0, 28 / 256.0, 8 / 256.0,  1 / 256.0};

/// @param rows  of `stride` numbers each, `extent` of them in turn along the axis
void smooth_along(const std::vector<double>& values, Index extent, Index stride, std::vector<double>& smooth) {
    const Index rows = std::ssize(values) / stride;
#pragma omp parallel for schedule(static)
    for (Index row = 0; row < rows; ++row) {
        const Index first = row / extent * extent;
        double* const to = smooth.data() + row * stride;
        std::fill_n(to, stride, 0.0);
        for (Index step = -reach; step <= reach; ++step) {
            const Index neighbour = ((row - first + step) % extent + extent) % extent;
            const double* const from = values.data() + (first + neighbour) * stride;
            const double weight = weights[static_cast<std::size_t>(step + reach)];
            for (Index i = 0; i < stride; ++i) {
                to[i] += weight * from[i];
            }
        }
    }
}

}  // namespace

std::vector<double> smooth_frequencies(std::vector<double> values, PerAxis<Index> grid) {
    if (std::ssize(values) != grid[0] * grid[1] * grid[2]) {
        return values;
    }
    auto smooth = vector_of_provided_pages<double>(values.size());
    Index stride = 1;
    for (int axis = 0; axis < 3; ++axis) {
        if (grid[axis] > 1) {
            smooth_along(values, grid[axis], stride, smooth);
            std::swap(values, smooth);
        }
        stride *= grid[axis];
    }
    return values;
}

}  // namespace recon
