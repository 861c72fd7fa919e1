// Rolling: a thread goes down a column; what was the row below is next the row itself, then the row above. Each number
// of E is read once from memory by the thread of its column, and its neighbours come from the first cache. The next
// row is on its way while this one is computed. Lesson: memory is kept busy by what is under way, not by threads alone.
#include "gpu/heart/stepwise.cuh"

namespace recon::heart {
namespace {

constexpr int block_columns = 128;
constexpr int rows_a_thread = 16;

__global__ void __launch_bounds__(block_columns)
    rolling_kernel(ExcitationRates<double> m, const double* __restrict__ e, double* __restrict__ e_next,
                   double* __restrict__ r, int size) {
    const int column = blockIdx.x * block_columns + threadIdx.x;
    if (column >= size) {
        return;
    }
    const int first = blockIdx.y * rows_a_thread, end = min(first + rows_a_thread, size);
    const int west = before(column) - column, east = after(column, size) - column;
    const auto cell = [&](int row) { return Index{row} * size + column; };
    double north = e[cell(before(first))], centre = e[cell(first)], south = e[cell(after(first, size))];
    double recovery = r[cell(first)];
    for (int row = first; row < end; ++row) {
        const Index c = cell(row);
        const double left = e[c + west], right = e[c + east];
        const int coming = row + 1 < end ? row + 1 : row;
        const double next_south = e[cell(after(coming, size))], next_recovery = r[cell(coming)];
        e_next[c] = react<Division::exact>(m, diffuse(m, centre, left, right, north, south), recovery);
        r[c] = recovery;
        north = centre;
        centre = south;
        south = next_south;
        recovery = next_recovery;
    }
}

}  // namespace

void launch_rolling(const StepLaunch& step) {
    const dim3 blocks(tiles_of(step.size, block_columns), tiles_of(step.size, rows_a_thread));
    rolling_kernel<<<blocks, block_columns, 0, step.stream>>>(step.m, step.before, step.after, step.r, step.size);
    check_launch();
}

Step rolling_step() {
    return {.id = "rolling",
            .title = "A column a thread, rows rolling through registers",
            .change = "16 rows a thread; what is above and below stays in registers, the next row is fetched ahead",
            .bound = "memory",
            .make = make_stepwise<SheetLayout::plain, launch_rolling>};
}

}  // namespace recon::heart
