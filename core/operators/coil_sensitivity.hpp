#pragma once

#include <optional>

#include "core/array.hpp"

namespace recon {

/// Coil maps S_c, [x y z coil]; absent maps mean one coil of sensitivity 1.
///
/// Works on batches of coils, so that no more of the coil images is held than memory allows.
class CoilSensitivity {
public:
    CoilSensitivity() = default;
    explicit CoilSensitivity(Array maps);

    Index coil_count() const { return maps_ ? maps_->shape().extent(3) : 1; }
    std::optional<ConstArrayView> maps() const;

    /// coil_images[c] = S_(first+c) image; coil_images [x y z coil] of any number of coils
    void forward(ConstArrayView image, Index first_coil, ArrayView coil_images) const;
    /// image += sum_c conj(S_(first+c)) coil_images[c]
    void accumulate_adjoint(ConstArrayView coil_images, Index first_coil, ArrayView image) const;

private:
    std::optional<Array> maps_;
};

}  // namespace recon
