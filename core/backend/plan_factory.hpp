#pragma once

#include <memory>
#include <optional>
#include <span>

#include "core/backend/plan_sizes.hpp"
#include "core/backend/plans.hpp"
#include "core/fourier/off_resonance_maps.hpp"

namespace recon {

struct CpuCosts;
struct NufftDesign;

/// The plans of a backend: numerical work that is prepared once and done often. What they occupy and how long the sums
/// should take is known before any is made.
class PlanFactory {
public:
    virtual ~PlanFactory() = default;

    virtual const PlanSizes& plan_sizes() const = 0;

    /// Seconds that the two ways to sum should take on this device for `transform_count` images, plan included.
    /// Counted, not timed: by the same costs the same scan leads to the same choice in every run
    /// (docs/predicted-times.md).
    virtual double predicted_exact_seconds(const VoxelGrid& grid, Index sample_count, Index transform_count,
                                           Precision precision) const = 0;
    virtual double predicted_nufft_seconds(const NufftDesign& design, Index sample_count, Index transform_count,
                                           Precision precision) const = 0;
    /// Of one apply of the Toeplitz plan.
    virtual double predicted_toeplitz_seconds(const Shape& image_shape, Index coil_count,
                                              Precision precision) const = 0;
    /// By which grids and kernels of a NUFFT for this device are compared.
    virtual const CpuCosts& nufft_design_costs() const = 0;

    virtual std::unique_ptr<FourierSums> make_exact_sums(const Trajectory& trajectory, const VoxelGrid& grid,
                                                         Precision precision) = 0;
    virtual std::unique_ptr<GriddingPlan> make_gridding(const Trajectory& trajectory, const GriddingGeometry& geometry,
                                                        Precision precision) = 0;
    virtual std::unique_ptr<PaddedFftPlan> make_padded_fft(const PaddedFftGeometry& geometry, Precision precision) = 0;
    /// @param modulation  D of ToeplitzPlan, [x y z]; none means 1
    virtual std::unique_ptr<ToeplitzPlan> make_toeplitz(const Shape& image_shape, ConstArrayView q, Precision precision,
                                                        std::optional<Array> modulation = std::nullopt) = 0;
    /// @param factors  h of ToeplitzPlan, whose real parts are taken: [x y z] of its grid in FFT order, lengths 2^a 3^b
    /// 5^c
    virtual std::unique_ptr<ToeplitzPlan> make_circulant(const Shape& image_shape, ConstArrayView factors,
                                                         Precision precision) = 0;
    virtual std::unique_ptr<PositionSums> make_position_sums(const Trajectory& trajectory, const Positions& positions,
                                                             Precision precision) = 0;
    /// Sums with the off-resonance of every voxel in the exponent (see FourierSums).
    /// @param sample_times_s  [sample], since excitation  @param maps  of the grid's voxels
    /// @throws ShapeError, InputError as OffResonanceMaps::require_valid and require_sample_times
    virtual std::unique_ptr<FourierSums> make_off_resonance_sums(const Trajectory& trajectory, const VoxelGrid& grid,
                                                                 std::span<const float> sample_times_s,
                                                                 const OffResonanceMaps& maps, Precision precision) = 0;
};

}  // namespace recon
