#pragma once

#include "core/backend/plan_sizes.hpp"
#include "gpu/device/cuda_queue.cuh"
#include "gpu/exact/cuda_exact_sums_kernels.cuh"
#include "gpu/exact/exact_sums_cost.hpp"
#include "gpu/exact/exact_sums_method.hpp"

namespace recon::exact_sums {

/// How exact sums on a device are divided: images into batches, samples into runs whose factors are held at a time,
/// runs into slices that different blocks add up. The fastest method, by the cost model, within the memory of a piece.
class ExactSumsPieces {
public:
    struct Choice {
        ExactSumsMethod method;
        Plan plan;
    };

    /// @param piece_bytes  as MemoryBudget::piece_bytes
    /// @throws InputError if an axis is too long, UsageError if the device cannot do what `method` asks for
    ExactSumsPieces(const CudaQueue& queue, const VoxelGrid& grid, Index sample_count, Precision precision,
                    ExactSumsMethod method, std::size_t piece_bytes);

    const HalfAxis& axis(int a) const { return axis_[a]; }

    Index images_at_once(Index image_count) const;
    Tiling tiling(int batch) const;
    ForwardTiling forward_tiling(int batch) const;

    /// In single precision.
    Choice choose_adjoint(int batch) const;
    Choice choose_forward(int batch) const;
    /// In double precision there is one method.
    int double_adjoint_slices(const Tiling& tiling, Index padded) const;
    int double_forward_slices(const Tiling& tiling, Index padded) const;

    Chunk adjoint_chunk(const Tiling& tiling) const;
    Chunk forward_chunk(const ForwardTiling& tiling, int slices) const;
    Chunk double_adjoint_chunk(const Tiling& tiling) const;
    Chunk double_forward_chunk(const Tiling& tiling) const;

    /// What a run allocates meanwhile.
    std::size_t adjoint_bytes(int batch) const;
    std::size_t forward_bytes(int batch) const;

private:
    bool uses_groups() const;
    Choice cheaper(ExactSumsMethod tensor, const Plan& plan, Index results, Index sources, int batch) const;
    double factor_clocks(int factors_a_sample) const;
    Plan double_plan(Index blocks, Index steps) const;
    /// So many that their results fit a piece.
    int affordable(int slices, std::size_t bytes_a_slice) const;
    Chunk largest_chunk(std::size_t bytes_a_sample) const;

    const CudaQueue* queue_;
    VoxelGrid grid_;
    Index sample_count_;
    Precision precision_;
    ExactSumsMethod method_;
    std::size_t piece_bytes_;
    HalfAxis axis_[3];
    bool is_far_ = false;  ///< an origin so far from the grid that 32 bits of a turn do not carry the phase there
};

}  // namespace recon::exact_sums
