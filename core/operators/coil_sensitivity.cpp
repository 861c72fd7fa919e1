#include "core/operators/coil_sensitivity.hpp"

#include "core/backend.hpp"

namespace recon {

CoilSensitivity::CoilSensitivity(Array maps) : maps_(std::move(maps)) {}

std::optional<ConstArrayView> CoilSensitivity::maps() const {
    return maps_ ? std::optional<ConstArrayView>(*maps_) : std::nullopt;
}

void CoilSensitivity::forward(ConstArrayView image, Index first_coil, ArrayView coil_images) const {
    Backend& backend = image.backend();
    for (Index coil = 0; coil < coil_images.shape().extent(3); ++coil) {
        if (maps_) {
            backend.multiply(Conjugate::no, maps_->slice(first_coil + coil), image, Accumulate::no,
                             coil_images.slice(coil));
        } else {
            backend.copy(image, coil_images.slice(coil));
        }
    }
}

void CoilSensitivity::accumulate_adjoint(ConstArrayView coil_images, Index first_coil, ArrayView image) const {
    Backend& backend = image.backend();
    for (Index coil = 0; coil < coil_images.shape().extent(3); ++coil) {
        if (maps_) {
            backend.multiply(Conjugate::yes, maps_->slice(first_coil + coil), coil_images.slice(coil), Accumulate::yes,
                             image);
        } else {
            backend.axpby(1, coil_images.slice(coil), 1, image);
        }
    }
}

}  // namespace recon
