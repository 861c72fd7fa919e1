#include "core/backend/cpu/exact/exact_cost.hpp"

#include <omp.h>

#include "core/backend/cpu/exact/factored_grid.hpp"
#include "core/backend/cpu/simd/simd_product.hpp"

namespace recon {
namespace {

/// Vector operations per second and thread: two a clock at 3 GHz, less what memory takes. (6.5e9 were measured at 4
/// GHz.)
constexpr double operations_per_second = 5e9;

}  // namespace

double predicted_cpu_exact_seconds(const VoxelGrid& grid, Index sample_count, Index batch, Precision precision) {
    return with_precision(precision, [&](auto tag) {
        constexpr int lanes = simd::lane_count<decltype(tag)>;
        const double operations = FactoredGrid::cheapest(grid, lanes).operations_per_sample(lanes, batch);
        return static_cast<double>(sample_count) * operations / (operations_per_second * omp_get_max_threads());
    });
}

}  // namespace recon
