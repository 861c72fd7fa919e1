#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "core/backend/array.hpp"
#include "core/backend/image_primitives.hpp"
#include "core/backend/plan_sizes.hpp"
#include "core/base/memory_budget.hpp"
#include "core/fourier/off_resonance_maps.hpp"

namespace recon {

struct NufftDesign;

/// One device with one ordered queue: its memory, the vector primitives of the solvers, and the plans that hold the
/// numerical work. Everything above this interface is written once, for the CPU and for the GPU.
///
/// All operands of a call live on this backend, have equal shapes and one precision, unless said otherwise; anything
/// else throws ShapeError. Only `dot`, `download` and `synchronize` wait for the queue.
class Backend {
public:
    virtual ~Backend() = default;
    Backend() = default;
    Backend(const Backend&) = delete;
    Backend& operator=(const Backend&) = delete;

    virtual std::string name() const = 0;         ///< as on the command line: "cpu", "cuda:0"
    virtual std::string description() const = 0;  ///< for the log: device, threads or multiprocessors, memory
    /// What could still be allocated, the limit of `memory()` considered.
    virtual std::size_t memory_free_bytes() const = 0;
    virtual MemoryBudget& memory() const = 0;  ///< the books that every allocation is entered into
    virtual bool memory_is_host() const = 0;   ///< whether that memory is the host's own
    virtual const PlanSizes& plan_sizes() const = 0;

    /// @throws DeviceError saying how much was asked for, and how much was free or the limit
    virtual void* allocate(std::size_t bytes) = 0;
    virtual void deallocate(void* data, std::size_t bytes) noexcept = 0;
    virtual void upload(const void* host, Precision host_precision, ArrayView array) = 0;
    virtual void download(ConstArrayView array, void* host, Precision host_precision) = 0;
    virtual void synchronize() = 0;

    virtual void fill(cdouble value, ArrayView y) = 0;
    virtual void copy(ConstArrayView x, ArrayView y) = 0;  ///< y = x; the precisions may differ
    virtual void scale(cdouble alpha, ArrayView y) = 0;    ///< y = alpha y
    virtual void axpby(cdouble alpha, ConstArrayView x, cdouble beta, ArrayView y) = 0;  ///< y = alpha x + beta y
    /// y = m x, or y + m x; `m` conjugated or not. `y` may be `x`.
    virtual void multiply(Conjugate conjugate, ConstArrayView m, ConstArrayView x, Accumulate accumulate,
                          ArrayView y) = 0;
    /// y = x / Re d where Re d is positive, and 0 elsewhere. `y` may be `x`.
    virtual void divide(ConstArrayView x, ConstArrayView d, ArrayView y) = 0;
    virtual void square_root(ArrayView y) = 0;  ///< y = sqrt(Re y) where Re y is positive, and 0 elsewhere
    /// The array with y[size-1-n] = conj(y[n]) whose last elements are `x`, half of them or more; what `x` itself gives
    /// of both becomes their mean.
    virtual void mirror_conjugate(ConstArrayView x, ArrayView y) = 0;

    /// result[i] = sum conj(x_i) y, accumulated in double, where x_i are the arrays like y that `x` consists of.
    /// @param result  of double precision, one number for each x_i
    virtual void dots(ConstArrayView x, ConstArrayView y, ArrayView result) = 0;
    /// y = y + sum_i coefficients[i] x_i, the coefficients of double precision, the x_i as above
    virtual void add_combination(ConstArrayView coefficients, ConstArrayView x, ArrayView y) = 0;
    cdouble dot(ConstArrayView x, ConstArrayView y);  ///< sum conj(x) y, accumulated in double

    virtual const ImagePrimitives& image_primitives() const = 0;

    /// Seconds that the two ways to sum should take on this device for `transform_count` images, plan included.
    /// Counted, not timed: the same scan leads to the same choice in every run.
    virtual double predicted_exact_seconds(const VoxelGrid& grid, Index sample_count, Index transform_count,
                                           Precision precision) const = 0;
    virtual double predicted_nufft_seconds(const NufftDesign& design, Index sample_count, Index transform_count,
                                           Precision precision) const = 0;

    virtual std::unique_ptr<FourierSums> make_exact_sums(const Trajectory& trajectory, const VoxelGrid& grid,
                                                         Precision precision) = 0;
    virtual std::unique_ptr<GriddingPlan> make_gridding(const Trajectory& trajectory, const GriddingGeometry& geometry,
                                                        Precision precision) = 0;
    virtual std::unique_ptr<PaddedFftPlan> make_padded_fft(const PaddedFftGeometry& geometry, Precision precision) = 0;
    /// @param modulation  D of ToeplitzPlan, [x y z]; none means 1
    virtual std::unique_ptr<ToeplitzPlan> make_toeplitz(const Shape& image_shape, ConstArrayView q, Precision precision,
                                                        std::optional<Array> modulation = std::nullopt) = 0;
    virtual std::unique_ptr<PositionSums> make_position_sums(const Trajectory& trajectory, const Positions& positions,
                                                             Precision precision) = 0;
    /// Sums with the off-resonance of every voxel in the exponent (see FourierSums).
    /// @param sample_times_s  [sample], since excitation  @param maps  of the grid's voxels
    /// @throws ShapeError, InputError as OffResonanceMaps::require_valid and require_sample_times
    virtual std::unique_ptr<FourierSums> make_off_resonance_sums(const Trajectory& trajectory, const VoxelGrid& grid,
                                                                 std::span<const float> sample_times_s,
                                                                 const OffResonanceMaps& maps, Precision precision) = 0;

protected:
    /// How many arrays like y `x` consists of. @throws ShapeError unless it is a whole number, and the size of
    /// `scalars`
    Index count_of_vectors(ConstArrayView x, ConstArrayView y, ConstArrayView scalars) const;
    /// @throws ShapeError unless x is the last half of y or more
    void require_half(ConstArrayView x, ConstArrayView y) const;
};

/// |x|, accumulated in double.
double norm(ConstArrayView x);

}  // namespace recon
