#include "core/backend/cpu/exact/exact_cost.hpp"

#include <omp.h>

#include "core/backend/cpu/exact/factored_grid.hpp"
#include "core/backend/cpu/simd/simd_product.hpp"
#include "core/processor/cpu_costs.hpp"

namespace recon {

double predicted_cpu_exact_seconds(const VoxelGrid& grid, Index sample_count, Index batch, Precision precision) {
    return with_precision(precision, [&](auto tag) {
        constexpr int lanes = simd::lane_count<decltype(tag)>;
        const double operations = FactoredGrid::cheapest(grid, lanes).operations_per_sample(lanes, batch);
        return static_cast<double>(sample_count) * operations * cpu_costs().exact_operation_s / omp_get_max_threads();
    });
}

}  // namespace recon
