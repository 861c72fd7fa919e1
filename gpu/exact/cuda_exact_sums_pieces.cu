#include "gpu/exact/cuda_exact_sums_pieces.cuh"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/base/error.hpp"
#include "gpu/backend/cuda_plan_sizes.cuh"

namespace recon::exact_sums {
namespace {

using Method = ExactSumsMethod;

constexpr Index most_extent = 4096;
constexpr std::size_t sums_bytes = std::size_t{4} << 30;      ///< of the sums of a batch
constexpr std::size_t factor_bytes = std::size_t{256} << 20;  ///< of one run of samples

/// 32 samples of one block; both measured on an H200, where they take the same time for 256 and for 128 rows.
constexpr double adjoint_step_clocks = 2500;
constexpr double forward_step_clocks = 2700;

template <class T>
T round_up(T n, T to) {
    return (n + to - 1) / to * to;
}

}  // namespace

ExactSumsPieces::ExactSumsPieces(const CudaQueue& queue, const VoxelGrid& grid, Index sample_count, Precision precision,
                                 ExactSumsMethod method, std::size_t piece_bytes)
    : queue_(&queue),
      grid_(grid),
      sample_count_(sample_count),
      precision_(precision),
      method_(method),
      piece_bytes_(piece_bytes) {
    for (int a = 0; a < 3; ++a) {
        const Index extent = grid.shape.matrix_size()[a];
        if (extent > most_extent) {
            throw InputError(queue.name() + ": exact sums on a grid " + grid.shape.text() + ", at most " +
                             std::to_string(most_extent) + " voxels along an axis; use the NUFFT");
        }
        axis_[a] = {static_cast<int>(extent), grid.spacing[a]};
        is_far_ = is_far_ || std::abs(grid.origin[a]) > most_extent;
    }
    if (method == Method::warp_group_matrix && !uses_groups()) {
        throw UsageError(queue.name() + ": warp-group matrix instructions need compute capability 9.0");
    }
}

bool ExactSumsPieces::uses_groups() const {
    return queue_->properties().major == 9 && queue_->properties().minor == 0 && method_ != Method::warp_matrix;
}

/// The real sums of a batch are the largest thing to hold.
Index ExactSumsPieces::images_at_once(Index image_count) const {
    const std::size_t each = static_cast<std::size_t>(tiling(1).sums_size()) * complex_bytes(precision_) / 2;
    const auto fitting = static_cast<Index>(std::min(sums_bytes, piece_bytes_) / each);
    const Index of_image = precision_ == Precision::single ? axis_[2].cosine_count() : 2 * axis_[2].extent;
    const Index blocks_limit = Index{65535} / of_image;  // batch and z share a grid axis
    return std::clamp<Index>(std::min(fitting, blocks_limit), 1, image_count);
}

Tiling ExactSumsPieces::tiling(int batch) const {
    const bool single = precision_ == Precision::single;
    Tiling tiling;
    tiling.parts = 2 * batch;
    std::copy_n(axis_, 3, tiling.axis);
    tiling.u_padded = round_up(tiling.u_count(), Tiling::u_tile);
    tiling.y_padded = round_up(axis_[1].extent, single ? 32 : 8);
    tiling.x_padded = round_up(axis_[0].extent, 64);
    tiling.column_tile = single && tiling.x_padded % 128 == 0 ? 128 : 64;
    return tiling;
}

ForwardTiling ExactSumsPieces::forward_tiling(int batch) const {
    ForwardTiling best;
    for (int z_tile = 16; z_tile > 0; z_tile /= 2) {
        ForwardTiling tiling;
        tiling.parts = 2 * batch;
        std::copy_n(axis_, 3, tiling.axis);
        tiling.x_groups = (axis_[0].extent + Tiling::group - 1) / Tiling::group;
        tiling.z_tile = z_tile;
        tiling.y_tiles = (axis_[1].extent + tiling.y_tile() - 1) / tiling.y_tile();
        tiling.z_tiles = (axis_[2].extent + z_tile - 1) / z_tile;
        if (best.parts == 0 || tiling.tiles_per_part() < best.tiles_per_part()) {
            best = tiling;
        }
    }
    return best;
}

int ExactSumsPieces::affordable(int slices, std::size_t bytes_a_slice) const {
    const std::size_t fitting = std::min(sums_bytes, piece_bytes_) / bytes_a_slice;
    return static_cast<int>(std::clamp<std::size_t>(fitting, 1, static_cast<std::size_t>(slices)));
}

ExactSumsPieces::Choice ExactSumsPieces::cheaper(Method tensor, const Plan& plan, Index results, Index sources,
                                                 int batch) const {
    constexpr Index source_tile = 128;
    const int multiprocessors = queue_->multiprocessor_count();
    const Index blocks = special_blocks(results);
    // A block of 128 threads does a quarter of what keeps a multiprocessor busy: four times as many fill the
    // device.
    const double step = 128 * 512 * special_clocks_a_pair(batch);
    Plan special = plan_slices(blocks, (sources + source_tile - 1) / source_tile,
                               static_cast<double>(results * batch) * 2 * sizeof(Complex) * clocks_a_byte,
                               {4 * multiprocessors, 4 * step});
    special.clocks += static_cast<double>(2 + batch / 4) * launch_clocks;
    if (method_ == Method::special_functions ||
        (method_ == Method::automatic && !is_far_ && special.clocks < plan.clocks)) {
        special.slices = affordable(special.slices, results * batch * sizeof(Complex));
        return {Method::special_functions, special};
    }
    return {tensor, plan};
}

ExactSumsPieces::Choice ExactSumsPieces::choose_adjoint(int batch) const {
    const Tiling t = tiling(batch);
    const bool groups = uses_groups();
    const Index blocks = Index{t.u_padded / Tiling::u_tile} * (t.y_padded / (groups ? 32 : 16)) * t.column_tiles();
    Plan plan = plan_slices(blocks, (sample_count_ + 31) / 32,
                            static_cast<double>(t.sums_size()) * 2 * sizeof(float) * clocks_a_byte,
                            {queue_->multiprocessor_count(), adjoint_step_clocks * t.column_tile / 128});
    plan.clocks += 11 * launch_clocks + factor_clocks(t.u_padded + t.y_padded + t.x_padded);
    plan.slices = affordable(plan.slices, t.sums_size() * sizeof(float));
    return cheaper(groups ? Method::warp_group_matrix : Method::warp_matrix, plan, grid_.shape.element_count(),
                   sample_count_, batch);
}

ExactSumsPieces::Choice ExactSumsPieces::choose_forward(int batch) const {
    const ForwardTiling t = forward_tiling(batch);
    const Index tiles = (sample_count_ + 127) / 128;
    // Blocks and slices of columns: `steps` are the tiles of one part.
    const double tile_clocks = (t.x_groups + 1) / 2 * forward_step_clocks;
    Plan plan = plan_slices(tiles * t.parts, t.tiles_per_part(),
                            static_cast<double>(sample_count_ * t.parts) * 4 * sizeof(float) * clocks_a_byte,
                            {queue_->multiprocessor_count(), tile_clocks});
    plan.clocks += 10 * launch_clocks + factor_clocks(t.x_groups * Tiling::group + t.y_padded() + t.z_padded());
    return cheaper(Method::warp_matrix, plan, sample_count_, grid_.shape.element_count(), batch);
}

/// Writing the factors of all samples and reading them.
double ExactSumsPieces::factor_clocks(int factors_a_sample) const {
    return static_cast<double>(sample_count_) * factors_a_sample * 2 * sizeof(float) * clocks_a_byte;
}

Plan ExactSumsPieces::double_plan(Index blocks, Index steps) const {
    return plan_slices(blocks, steps, 1000, {4 * queue_->multiprocessor_count(), 4 * 1024});
}

int ExactSumsPieces::double_adjoint_slices(const Tiling& t, Index padded) const {
    const Plan plan = double_plan(Index{t.u_padded} * t.y_padded / 64 * (t.x_padded / 64), padded / 16);
    return affordable(plan.slices, t.sums_size() * sizeof(double));
}

int ExactSumsPieces::double_forward_slices(const Tiling& t, Index padded) const {
    const Index tiles = (Index{t.axis[2].extent} * t.y_padded + 63) / 64;
    return double_plan(padded / 64 * t.parts, tiles * (t.x_padded / 16)).slices;
}

/// Samples whose factors, of so many bytes each, are held at a time.
Chunk ExactSumsPieces::largest_chunk(std::size_t bytes_a_sample) const {
    const auto fitting = static_cast<Index>(std::min(factor_bytes, piece_bytes_) / bytes_a_sample);
    const Index length = std::clamp<Index>(fitting / 512 * 512, 2048, Index{1} << 20);
    return {0, static_cast<int>(std::min(length, sample_count_))};
}

Chunk ExactSumsPieces::adjoint_chunk(const Tiling& t) const {
    return largest_chunk(sizeof(float) * (t.u_padded + t.y_padded + t.x_padded + t.parts));
}

Chunk ExactSumsPieces::forward_chunk(const ForwardTiling& t, int slices) const {
    return largest_chunk(sizeof(float) *
                         (t.x_groups * Tiling::group + t.y_padded() + t.z_padded() + 2 * slices * t.parts));
}

Chunk ExactSumsPieces::double_adjoint_chunk(const Tiling& t) const {
    return largest_chunk(sizeof(double) * (t.u_padded + t.y_padded + t.x_padded + t.axis[2].extent));
}

Chunk ExactSumsPieces::double_forward_chunk(const Tiling& t) const {
    return largest_chunk(sizeof(double) * (t.y_padded + t.x_padded + t.axis[2].extent + 8 * t.parts));
}

std::size_t ExactSumsPieces::adjoint_bytes(int batch) const {
    const Tiling t = tiling(batch);
    if (precision_ == Precision::double_) {
        const auto padded = round_up<Index>(double_adjoint_chunk(t).count, 64);
        const Index factors = Index{t.u_padded} + t.y_padded + t.x_padded + t.axis[2].extent;
        return sizeof(double) * (padded * factors + double_adjoint_slices(t, padded) * t.sums_size());
    }
    const Choice choice = choose_adjoint(batch);
    if (choice.method == Method::special_functions) {
        return choice.plan.slices > 1 ? grid_.shape.element_count() * batch * choice.plan.slices * sizeof(Complex) : 0;
    }
    const Chunk chunk = adjoint_chunk(t);
    const Index padded = Index{chunk.groups()} * Tiling::group;
    const Index columns = Index{chunk.groups()} * packed_group(t.column_tile) * t.column_tiles();
    return sizeof(float) * (batch + Index{t.parts} * chunk.count + padded * (t.u_padded + t.y_padded) +
                            choice.plan.slices * t.sums_size()) +
           sizeof(__half) * columns;
}

std::size_t ExactSumsPieces::forward_bytes(int batch) const {
    if (precision_ == Precision::double_) {
        const Tiling t = tiling(batch);
        const auto padded = round_up<Index>(double_forward_chunk(t).count, 64);
        const Index factors = Index{t.y_padded} + t.x_padded + t.axis[2].extent;
        const Index partial = Index{t.parts} * double_forward_slices(t, padded) * 2;
        return sizeof(double) * (padded * (factors + partial) + t.sums_size());
    }
    const Choice choice = choose_forward(batch);
    if (choice.method == Method::special_functions) {
        return choice.plan.slices > 1 ? sample_count_ * batch * choice.plan.slices * sizeof(Complex) : 0;
    }
    const ForwardTiling t = forward_tiling(batch);
    const auto padded = round_up<Index>(forward_chunk(t, choice.plan.slices).count, 128);
    const Index factors = padded / 128 * t.x_groups * packed_group(ForwardTiling::tile_columns);
    return sizeof(float) * (batch + padded * (t.y_padded() + t.z_padded() + Index{t.parts} * choice.plan.slices * 2)) +
           sizeof(__half) * (t.packed_size() + factors);
}

}  // namespace recon::exact_sums

namespace recon {

PlanBytes CudaPlanSizes::exact_sums(const VoxelGrid& grid, Index sample_count, Index image_count, Precision precision,
                                    std::size_t piece_bytes) const {
    const exact_sums::ExactSumsPieces pieces(*queue_, grid, sample_count, precision, ExactSumsMethod::automatic,
                                             piece_bytes);
    const auto batch = static_cast<int>(pieces.images_at_once(image_count));
    std::size_t running = std::max(pieces.adjoint_bytes(batch), pieces.forward_bytes(batch));
    for (int fewer = 1; fewer < batch; ++fewer) {  // a last batch of fewer images may be cut into more slices
        running = std::max({running, pieces.adjoint_bytes(fewer), pieces.forward_bytes(fewer)});
    }
    return {3 * sample_count * sizeof(double), 0, running};
}

}  // namespace recon
