#include "core/operators/preconditioners/smooth_frequencies.hpp"

#include <algorithm>
#include <array>

#include "core/base/host_pages.hpp"

namespace recon {
namespace {

constexpr Index reach = 4;
constexpr std::array<float, 2 * reach + 1> weights{1 / 256.0F,  8 / 256.0F,  28 / 256.0F, 56 / 256.0F, 70 / 256.0F,
                                                   56 / 256.0F, 28 / 256.0F, 8 / 256.0F,  1 / 256.0F};
constexpr Index most_columns = 256;  ///< at once, for caches to hold them

/// Along an axis whose neighbours are `stride` numbers apart, by blocks of columns that are copied, with `reach` rows
/// more at either end. `smooth` may be `values`.
void smooth_along(Index extent, Index stride, const std::vector<float>& values, std::vector<float>& smooth) {
    const Index strips = (stride + most_columns - 1) / most_columns;
    const Index blocks = std::ssize(values) / (extent * stride) * strips;
#pragma omp parallel
    {
        std::vector<float> block(static_cast<std::size_t>((extent + 2 * reach) * std::min(stride, most_columns)));
#pragma omp for schedule(static)
        for (Index i = 0; i < blocks; ++i) {
            const Index column = i % strips * most_columns, columns = std::min(most_columns, stride - column);
            const Index first = i / strips * extent * stride + column;
            const Index run = columns == stride ? extent * stride : columns;  // numbers that follow one another
            const Index runs = extent * columns / run;
            float* const rows = block.data() + reach * columns;
            for (Index r = 0; r < runs; ++r) {
                std::copy_n(values.data() + first + r * stride, run, rows + r * run);
            }
            for (Index step = 1; step <= reach; ++step) {
                std::copy_n(rows + (reach * extent - step) % extent * columns, columns, rows - step * columns);
                std::copy_n(rows + (step - 1) % extent * columns, columns, rows + (extent + step - 1) * columns);
            }
            for (Index r = 0; r < runs; ++r) {
                const float* const from = rows + r * run;
                float* const to = smooth.data() + first + r * stride;
                for (Index n = 0; n < run; ++n) {
                    float sum = 0;
                    for (Index step = -reach; step <= reach; ++step) {
                        sum += weights[static_cast<std::size_t>(step + reach)] * from[n + step * columns];
                    }
                    to[n] = sum;
                }
            }
        }
    }
}

}  // namespace

std::vector<float> smooth_frequencies(const std::vector<float>& values, PerAxis<Index> grid) {
    if (std::ssize(values) != grid[0] * grid[1] * grid[2] || values.size() == 1) {
        return values;
    }
    auto smooth = unwritten_vector<float>(values.size());
    const std::vector<float>* from = &values;
    Index stride = 1;
    for (const Index extent : grid) {
        if (extent > 1) {
            smooth_along(extent, stride, *from, smooth);
            from = &smooth;
        }
        stride *= extent;
    }
    return smooth;
}

}  // namespace recon
