#pragma once

#include <vector>

#include "core/backend/wavelet_step.hpp"
#include "core/operators/linear_operator.hpp"

namespace recon {

/// The orthonormal wavelet transform of images of any size, [x y z] or [x y z frame] one by one: Daubechies' filter of
/// four taps along each axis of eight voxels or more, then again on the low parts, up to four levels [Mallat 1989]. Its
/// adjoint is its inverse.
class WaveletTransform final : public LinearOperator {
public:
    static constexpr int most_levels = 4;
    static constexpr Index least_extent = 8;  ///< of an axis that is filtered

    /// @param shift  the image is moved by so many voxels, periodically, beneath the transform; 0 <= shift < extent
    WaveletTransform(Backend& backend, const Shape& image_shape, Precision precision, PerAxis<Index> shift = {});

    /// Extents of the coarsest low part, which lies at the first voxels.
    const PerAxis<Index>& low_extent() const { return low_extent_; }
    /// Number of shifts along each axis that make a difference to the coefficients' magnitudes, for even extents.
    PerAxis<Index> shift_range() const;

private:
    void do_forward(ConstArrayView x, ArrayView y) const override;
    void do_adjoint(ConstArrayView y, ArrayView x) const override;
    void do_normal(ConstArrayView x, ArrayView z) const override;

    std::vector<WaveletStep> steps_;
    PerAxis<Index> low_extent_;
    PerAxis<int> levels_{};
};

}  // namespace recon
