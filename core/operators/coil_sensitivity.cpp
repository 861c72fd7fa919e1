#include "core/operators/coil_sensitivity.hpp"

#include <algorithm>

#include "core/backend/array_elements.hpp"
#include "core/backend/backend.hpp"

namespace recon {
namespace {

/// Pieces of streamed maps: large enough that an upload and a Toeplitz product keep a device busy.
constexpr std::size_t streamed_bytes = std::size_t{256} << 20;

}  // namespace

Index CoilSensitivity::streamed_coils_at_once(const Shape& image, Index coil_count, Precision precision,
                                              std::size_t piece_bytes) {
    const std::size_t one = image.element_count() * complex_bytes(precision);
    return std::clamp<Index>(static_cast<Index>(std::min(streamed_bytes, piece_bytes) / one), 1, coil_count);
}

Index CoilSensitivity::coil_count() const {
    return maps_ ? maps_->shape().extent(3) : streamed_ ? streamed_->shape().extent(3) : 1;
}

ConstArrayView CoilSensitivity::map(Index coil, Precision precision, std::optional<Array>& buffer) const {
    if (maps_) {
        return maps_->slice(coil);
    }
    if (!buffer) {
        buffer.emplace(streamed_->backend(), streamed_->shape().without_last_axis(), precision);
    }
    streamed_->load(coil, *buffer);
    return *buffer;
}

std::vector<cdouble> CoilSensitivity::map_at(Index coil, std::span<const Index> voxels) const {
    if (maps_) {
        return download_elements(maps_->slice(coil), voxels);
    }
    return streamed_ ? streamed_->elements(coil, voxels) : std::vector<cdouble>(voxels.size(), 1.0);
}

void CoilSensitivity::forward(ConstArrayView image, Index first_coil, ArrayView coil_images) const {
    Backend& backend = image.backend();
    std::optional<Array> buffer;
    for (Index coil = 0; coil < coil_images.shape().extent(3); ++coil) {
        if (has_maps()) {
            backend.multiply(Conjugate::no, map(first_coil + coil, image.precision(), buffer), image, Accumulate::no,
                             coil_images.slice(coil));
        } else {
            backend.copy(image, coil_images.slice(coil));
        }
    }
}

void CoilSensitivity::accumulate_adjoint(ConstArrayView coil_images, Index first_coil, ArrayView image) const {
    Backend& backend = image.backend();
    std::optional<Array> buffer;
    for (Index coil = 0; coil < coil_images.shape().extent(3); ++coil) {
        if (has_maps()) {
            backend.multiply(Conjugate::yes, map(first_coil + coil, image.precision(), buffer), coil_images.slice(coil),
                             Accumulate::yes, image);
        } else {
            backend.axpby(1, coil_images.slice(coil), 1, image);
        }
    }
}

void CoilSensitivity::for_each_piece(const std::function<void(Index, const std::optional<ConstArrayView>&)>& function,
                                     Precision precision) const {
    if (!streamed_) {
        function(0, maps_ ? std::optional<ConstArrayView>(*maps_) : std::nullopt);
        return;
    }
    Backend& backend = streamed_->backend();
    const Shape image = streamed_->shape().without_last_axis();
    const Index at_once = streamed_coils_at_once(image, coil_count(), precision, backend.memory().piece_bytes());
    Array piece(backend, image.with_axis("coil", at_once), precision);
    for (Index first = 0; first < coil_count(); first += at_once) {
        const ArrayView maps = piece.view().slices(0, std::min(at_once, coil_count() - first));
        streamed_->load(first, maps);
        function(first, maps);
    }
}

}  // namespace recon
