#pragma once

#include "core/operators/wavelet_transform.hpp"
#include "core/penalty.hpp"

namespace recon {

/// f(x) = sum of the magnitudes of the wavelet coefficients of images, those of the coarsest low part left out: it is
/// not sparse, and shrinking it would darken the image. The proximal map moves the image by another shift in each
/// iteration, so that the transform's blocks do not show [Coifman 1995; Figueiredo 2003].
class WaveletSparsity final : public Penalty {
public:
    /// @param image_shape  [x y z], or [x y z frame] for several
    WaveletSparsity(Backend& backend, const Shape& image_shape, Precision precision);

    void proximal(double threshold, int iteration, ArrayView z) const override;
    double value(ConstArrayView z) const override;

private:
    WaveletTransform transform_;
    Array minus_low_;  ///< like the image: -1 in the coarsest low part, 0 elsewhere
};

}  // namespace recon
