#include "core/cpu/cpu_memory_model.hpp"

#include <gtest/gtest.h>
#include <malloc.h>
#include <omp.h>

#include "core/cpu/cpu_backend.hpp"

namespace recon {
namespace {

/// Bytes that the program holds in its heap and in maps of the heap.
double heap_bytes() {
    const struct mallinfo2 info = mallinfo2();
    return static_cast<double>(info.uordblks + info.hblkhd);
}

TEST(CpuMemoryModel, ForecastsTheToeplitzPlanWithinAFewPercent) {
    const auto backend = make_cpu_backend(2);
    for (const PerAxis<Index> n : {PerAxis<Index>{64, 60, 44}, PerAxis<Index>{300, 280, 1}}) {
        const Shape shape = Shape::image(n);
        const Index coil_count = 3;
        Array q(*backend, VoxelGrid::differences(n).shape, Precision::double_);
        backend->fill(1, q);
        Array image(*backend, shape, Precision::single), result(*backend, shape, Precision::single);
        Array maps(*backend, shape.with_axis("coil", coil_count), Precision::single);
        backend->fill(1, image);
        backend->fill(1, maps);

        const double before = heap_bytes();
        const auto plan = backend->make_toeplitz(shape, q, Precision::single);
        plan->apply(image, maps.view(), result);
        const double used = heap_bytes() - before;
        const auto forecast =
            static_cast<double>(cpu_toeplitz_bytes(shape, coil_count, Precision::single, Precision::double_, 2).held);
        // three blocks of up to a huge page (2 MB) more than asked for each, and the tables
        EXPECT_NEAR(used, forecast, 0.1 * forecast + 6e6) << shape.text();
        EXPECT_GT(used, 0.5 * forecast) << shape.text();
    }
}

}  // namespace
}  // namespace recon
