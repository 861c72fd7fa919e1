#pragma once

#include <memory>
#include <optional>

#include "core/backend/backend.hpp"
#include "core/fourier/nufft_design.hpp"

namespace recon {

/// The Fourier sums by gridding: convolution of the samples with a compact kernel on an oversampled grid, FFT, division
/// by the kernel's transform [Beatty 2005, Barnett 2019]; and the transpose of it. (docs/nufft.md)
///
/// The relative L2 error of a transform stays below the tolerance. Samples may lie anywhere: outside the band they
/// wrap, exactly as the sums do. The same bytes on every run, for any number of threads and any division into batches.
/// One call at a time: calls share scratch memory.
class Nufft final : public FourierSums {
public:
    /// @throws UsageError if the tolerance cannot be met in this precision, InputError if a coordinate is not finite
    Nufft(Backend& backend, const Trajectory& trajectory, const VoxelGrid& grid, double tolerance, Precision precision);
    /// By a given design: parts of a trajectory that share it add up to what the whole gives, errors included.
    Nufft(Backend& backend, const Trajectory& trajectory, const VoxelGrid& grid, const NufftDesign& design,
          Precision precision);

    const NufftDesign& design() const { return design_; }

    /// What a NUFFT occupies that transforms up to `image_count` images at a time.
    /// @param piece_bytes  as MemoryBudget::piece_bytes
    static PlanBytes bytes(const Backend& backend, const VoxelGrid& grid, const NufftDesign& design, Index sample_count,
                           Index image_count, Precision precision, std::size_t piece_bytes);

private:
    void do_forward(ConstArrayView image, ArrayView samples) const override;
    void do_adjoint(ConstArrayView samples, ArrayView image) const override;

    /// Calls function(first, count, grid) for pieces of the batch small enough for the scratch memory.
    template <class Function>
    void for_each_piece(Index batch_count, Function&& function) const;

    Backend* backend_;
    NufftDesign design_;
    std::unique_ptr<GriddingPlan> gridding_;
    std::unique_ptr<PaddedFftPlan> fft_;
    /// exp(-i 2 pi k.shift), where the grid's origin is not its middle: the transform is made about the middle.
    std::optional<Array> sample_phases_;
    mutable std::optional<Array> scratch_;  ///< [x y z batch], the oversampled grid
};

}  // namespace recon
