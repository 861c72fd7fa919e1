#include "core/backend/cpu/cpu_plan_sizes.hpp"

#include <omp.h>

#include <algorithm>
#include <utility>

#include "core/backend/cpu/exact/exact_adjoint.hpp"
#include "core/backend/cpu/exact/exact_forward.hpp"
#include "core/backend/cpu/fft/toeplitz_embedding.hpp"
#include "core/backend/cpu/gridding/gridding_loops.hpp"
#include "core/backend/cpu/simd/lanes.hpp"
#include "core/backend/cpu/simd/simd_product.hpp"

namespace recon {
namespace {

std::size_t threads() { return static_cast<std::size_t>(omp_get_max_threads()); }

std::pair<std::size_t, std::size_t> spectrum_and_scratch(const ToeplitzEmbedding& embedding, Index coil_count,
                                                         Precision precision, std::size_t piece_bytes) {
    const ToeplitzScratch scratch(embedding, coil_count, static_cast<Index>(threads()), piece_bytes);
    return {static_cast<std::size_t>(embedding.spectrum_size()) * complex_bytes(precision) / 2,
            static_cast<std::size_t>(scratch.total_size) * 2 * register_bytes};
}

}  // namespace

PlanBytes CpuPlanSizes::exact_sums(const VoxelGrid& grid, Index sample_count, Index image_count, Precision precision,
                                   std::size_t piece_bytes) const {
    return with_precision(precision, [&](auto tag) -> PlanBytes {
        using T = decltype(tag);
        const FactoredGrid factored = FactoredGrid::cheapest(grid, simd::lane_count<T>);
        return {sample_count * sizeof(PerAxis<double>), 0,
                std::max(exact_adjoint_bytes<T>(factored, sample_count, image_count, piece_bytes),
                         exact_forward_bytes<T>(factored, sample_count, image_count, piece_bytes))};
    });
}

PlanBytes CpuPlanSizes::gridding(const GriddingGeometry& geometry, Index sample_count, Index, Precision precision,
                                 std::size_t) const {
    return with_precision(precision, [&](auto tag) -> PlanBytes {
        using T = decltype(tag);
        const auto axis_count = std::ranges::count_if(geometry.grid_size, [](Index size) { return size > 1; });
        const auto& loops = GriddingLoops<T>::of(geometry.kernel.width, std::max<int>(1, axis_count));
        const TileGrid tiles(geometry, cpu_tile_sizes(loops.unit_points, loops.row_points));
        const Index part_count = tiles.tile_count + sample_count / tiles.largest_part;
        constexpr Index counters_of_tile = 64 + 2;  // of the sorting
        const std::size_t of_a_thread =
            tiles.local_size * sizeof(std::complex<T>) + tiles.largest_part * (loops.record_length + 2) * sizeof(T);
        return {sample_count * sizeof(typename GriddingTiles<T>::Sample) + part_count * sizeof(TileGrid::Part),
                counters_of_tile * tiles.tile_count * sizeof(Index), threads() * of_a_thread};
    });
}

PlanBytes CpuPlanSizes::padded_fft(const PerAxis<Index>& image_size, const PerAxis<Index>& grid_size, Precision) const {
    const Index longest = *std::ranges::max_element(grid_size);
    std::size_t tables = 0;
    for (int axis = 0; axis < 3; ++axis) {
        tables += static_cast<std::size_t>(16 * image_size[axis] + 64 * grid_size[axis]);
    }
    return {static_cast<std::size_t>(longest + 1) * threads() * 2 * register_bytes + tables, 0, 0};
}

PlanBytes CpuPlanSizes::toeplitz(const Shape& image_shape, Index coil_count, Precision precision, Precision q_precision,
                                 std::size_t piece_bytes, Index plan_count) const {
    const ToeplitzEmbedding embedding(image_shape, precision);
    const auto [spectrum, scratch_bytes] = spectrum_and_scratch(embedding, coil_count, precision, piece_bytes);
    const std::size_t work = embedding.spectrum_work_bytes(q_precision, static_cast<Index>(threads()));
    // scratch, which all plans share, is allocated by the first apply, when the work of making the spectrum is over
    return {static_cast<std::size_t>(plan_count) * spectrum + scratch_bytes,
            std::max(work, scratch_bytes) - scratch_bytes, 0};
}

PlanBytes CpuPlanSizes::circulant(const Shape& image_shape, const PerAxis<Index>& grid_size, Precision precision,
                                  std::size_t piece_bytes, Index plan_count) const {
    const auto [spectrum, scratch_bytes] =
        spectrum_and_scratch(ToeplitzEmbedding(image_shape, grid_size, precision), 1, precision, piece_bytes);
    return {static_cast<std::size_t>(plan_count) * spectrum + scratch_bytes, 0, 0};
}

}  // namespace recon
