#pragma once

#include <memory>
#include <vector>

#include "core/operators/penalties/penalty.hpp"
#include "core/operators/penalties/wavelet_transform.hpp"

namespace recon {

/// f(x) = sum of the magnitudes of the wavelet coefficients of images, those of the coarsest low part left out: it is
/// not sparse, and shrinking it would darken the image.
///
/// To hide the transform's blocks, the image lies in several places beneath it [Coifman 1995]. The proximal map is the
/// mean of those of the places, and so that of one convex function, their proximal average [Bauschke 2008]; `value` is
/// the mean of f, a little above it. (ADMM does not converge with another place in each iteration.)
class WaveletSparsity final : public Penalty {
public:
    /// @param image_shape  [x y z], or [x y z frame] for several
    WaveletSparsity(Backend& backend, const Shape& image_shape, Precision precision, int place_count = 4);

    void proximal(double threshold, ArrayView z) const override;
    double value(ConstArrayView z) const override;

private:
    std::vector<std::unique_ptr<const WaveletTransform>> transforms_;  ///< one for each place
    Array minus_low_;  ///< like the image: -1 in the coarsest low part, 0 elsewhere
};

}  // namespace recon
