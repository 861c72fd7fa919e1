#pragma once

#include "core/backend/backend.hpp"
#include "core/processor/cpu_costs.hpp"
#include "gpu/backend/cuda_plan_sizes.cuh"
#include "gpu/device/cuda_queue.cuh"
#include "gpu/primitives/cuda_image_primitives.cuh"

namespace recon {

/// Mirrors core/backend/cpu/cpu_backend.hpp: vector primitives by cuBLAS where it fits, plans each in the file of its
/// name.
class CudaBackend final : public Backend {
public:
    explicit CudaBackend(int ordinal);

    CudaQueue& queue() { return queue_; }
    /// For plans, which check their operands. @throws ShapeError if `array` lives elsewhere or has another precision
    void require_here(const char* role, ConstArrayView array, Precision precision) const;

    std::string name() const override { return queue_.name(); }
    std::string description() const override;
    std::size_t memory_free_bytes() const override { return queue_.memory_free_bytes(); }
    MemoryBudget& memory() const override { return queue_.memory(); }
    bool memory_is_host() const override { return false; }
    const PlanSizes& plan_sizes() const override { return plan_sizes_; }

    void* allocate(std::size_t bytes) override { return queue_.allocate(bytes); }
    void deallocate(void* data, std::size_t bytes) noexcept override { queue_.deallocate(data, bytes); }
    void upload(const void* host, Precision host_precision, ArrayView array) override;
    void download(ConstArrayView array, void* host, Precision host_precision) override;
    void synchronize() override { queue_.synchronize(); }

    const ImagePrimitives& image_primitives() const override { return image_primitives_; }

    double predicted_exact_seconds(const VoxelGrid& grid, Index sample_count, Index transform_count,
                                   Precision precision) const override;
    double predicted_nufft_seconds(const NufftDesign& design, Index sample_count, Index transform_count,
                                   Precision precision) const override;
    double predicted_toeplitz_seconds(const Shape& image_shape, Index coil_count, Precision precision) const override;
    /// The processor's as measured for all, never those fitted to one that the device has nothing to do with.
    const CpuCosts& nufft_design_costs() const override { return nufft_design_costs_; }

    std::unique_ptr<FourierSums> make_exact_sums(const Trajectory& trajectory, const VoxelGrid& grid,
                                                 Precision precision) override;
    std::unique_ptr<GriddingPlan> make_gridding(const Trajectory& trajectory, const GriddingGeometry& geometry,
                                                Precision precision) override;
    std::unique_ptr<PaddedFftPlan> make_padded_fft(const PaddedFftGeometry& geometry, Precision precision) override;
    std::unique_ptr<ToeplitzPlan> make_toeplitz(const Shape& image_shape, ConstArrayView q, Precision precision,
                                                std::optional<Array> modulation) override;
    std::unique_ptr<ToeplitzPlan> make_circulant(const Shape& image_shape, ConstArrayView factors,
                                                 Precision precision) override;
    std::unique_ptr<PositionSums> make_position_sums(const Trajectory& trajectory, const Positions& positions,
                                                     Precision precision) override;
    std::unique_ptr<FourierSums> make_off_resonance_sums(const Trajectory& trajectory, const VoxelGrid& grid,
                                                         std::span<const float> sample_times_s,
                                                         const OffResonanceMaps& maps, Precision precision) override;

private:
    void do_fill(cdouble value, ArrayView y) override;
    void do_fill_white(const WhiteNoise& noise, Index first, ArrayView y) override;
    void do_copy(ConstArrayView x, ArrayView y) override;
    void do_scale(cdouble alpha, ArrayView y) override;
    void do_axpby(cdouble alpha, ConstArrayView x, cdouble beta, ArrayView y) override;
    void do_multiply(Conjugate conjugate, ConstArrayView m, ConstArrayView x, Accumulate accumulate,
                     ArrayView y) override;
    void do_divide(ConstArrayView x, ConstArrayView d, ArrayView y) override;
    void do_square_root(ArrayView y) override;
    void do_mirror_conjugate(ConstArrayView x, ArrayView y) override;
    void do_dots(Index count, ConstArrayView x, ConstArrayView y, ArrayView result) override;
    void do_add_combination(Index count, ConstArrayView coefficients, ConstArrayView x, ArrayView y) override;

    CudaQueue queue_;
    CudaPlanSizes plan_sizes_{queue_};
    CpuCosts nufft_design_costs_;
    CudaImagePrimitives image_primitives_{queue_};
};

// The plans of the CUDA backend, each in the file of its name.
std::unique_ptr<FourierSums> make_cuda_exact_sums(CudaBackend&, const Trajectory&, const VoxelGrid&, Precision);
std::unique_ptr<GriddingPlan> make_cuda_gridding(CudaBackend&, const Trajectory&, const GriddingGeometry&, Precision);
std::unique_ptr<PaddedFftPlan> make_cuda_padded_fft(CudaBackend&, const PaddedFftGeometry&, Precision);
std::unique_ptr<ToeplitzPlan> make_cuda_toeplitz(CudaBackend&, const Shape& image_shape, ConstArrayView q, Precision,
                                                 std::optional<Array> modulation);
std::unique_ptr<ToeplitzPlan> make_cuda_circulant(CudaBackend&, const Shape& image_shape, ConstArrayView factors,
                                                  Precision);
std::unique_ptr<PositionSums> make_cuda_position_sums(CudaBackend&, const Trajectory&, const Positions&, Precision);
std::unique_ptr<FourierSums> make_cuda_off_resonance_sums(CudaBackend&, const Trajectory&, const VoxelGrid&,
                                                          std::span<const float> sample_times_s,
                                                          const OffResonanceMaps&, Precision);

}  // namespace recon
