#include "core/operators/encoding.hpp"

#include <algorithm>

#include "core/backend/backend.hpp"

namespace recon {

Encoding::Encoding(Backend& backend, Parts parts)
    : LinearOperator("encoding", backend, parts.sums->grid().shape,
                     Shape::samples(parts.sums->sample_count()).with_axis("coil", parts.coils->coil_count()),
                     parts.sums->precision()),
      parts_(std::move(parts)) {}

Encoding Encoding::unweighted() const { return Encoding(backend(), {parts_.sums, parts_.coils, nullptr, nullptr}); }

Index Encoding::coils_at_once(const Shape& image, Index sample_count, Index coil_count, Precision precision,
                              std::size_t piece_bytes) {
    constexpr std::size_t batch_bytes = std::size_t{256} << 20;
    const std::size_t one = std::max(image.element_count(), sample_count) * complex_bytes(precision);
    return std::clamp<Index>(static_cast<Index>(std::min(batch_bytes, piece_bytes) / one), 1, coil_count);
}

Index Encoding::coils_at_once() const {
    return coils_at_once(domain(), parts_.sums->sample_count(), parts_.coils->coil_count(), precision(),
                         backend().memory().piece_bytes());
}

void Encoding::apply_sample_factors(ConstArrayView from, ArrayView to) const {
    for (Index coil = 0; coil < from.shape().extent(1); ++coil) {
        if (parts_.sample_factors) {
            backend().multiply(Conjugate::no, *parts_.sample_factors, from.slice(coil), Accumulate::no, to.slice(coil));
        } else if (from.address() != to.address()) {
            backend().copy(from.slice(coil), to.slice(coil));
        }
    }
}

void Encoding::forward_coils(ConstArrayView image, Index first_coil, ArrayView kspace) const {
    Array coil_images(backend(), domain().with_axis("coil", kspace.shape().extent(1)), precision());
    parts_.coils->forward(image, first_coil, coil_images);
    parts_.sums->forward(coil_images, kspace);
    apply_sample_factors(kspace, kspace);
}

void Encoding::accumulate_adjoint_coils(ConstArrayView kspace, Index first_coil, ArrayView image) const {
    Array coil_images(backend(), domain().with_axis("coil", kspace.shape().extent(1)), precision());
    if (parts_.sample_factors) {
        Array weighted(backend(), kspace.shape(), precision());
        apply_sample_factors(kspace, weighted);
        parts_.sums->adjoint(weighted, coil_images);
    } else {
        parts_.sums->adjoint(kspace, coil_images);
    }
    parts_.coils->accumulate_adjoint(coil_images, first_coil, image);
}

void Encoding::do_forward(ConstArrayView image, ArrayView kspace) const {
    const Index coil_count = parts_.coils->coil_count();
    for (Index first = 0; first < coil_count; first += coils_at_once()) {
        forward_coils(image, first, kspace.slices(first, std::min(coils_at_once(), coil_count - first)));
    }
}

void Encoding::do_adjoint(ConstArrayView kspace, ArrayView image) const {
    const Index coil_count = parts_.coils->coil_count();
    backend().fill(0, image);
    for (Index first = 0; first < coil_count; first += coils_at_once()) {
        accumulate_adjoint_coils(kspace.slices(first, std::min(coils_at_once(), coil_count - first)), first, image);
    }
}

/// Forward and adjoint, a batch of coils at a time.
void Encoding::normal_by_sums(ConstArrayView image, ArrayView result) const {
    const Index coil_count = parts_.coils->coil_count();
    backend().fill(0, result);
    for (Index first = 0; first < coil_count; first += coils_at_once()) {
        const Index count = std::min(coils_at_once(), coil_count - first);
        Array kspace(backend(), codomain().without_last_axis().with_axis("coil", count), precision());
        forward_coils(image, first, kspace);
        accumulate_adjoint_coils(kspace, first, result);
    }
}

void Encoding::do_normal(ConstArrayView image, ArrayView result) const {
    if (!parts_.toeplitz) {
        normal_by_sums(image, result);
        return;
    }
    parts_.coils->for_each_piece(
        [&](Index first, const std::optional<ConstArrayView>& maps) {
            parts_.toeplitz->apply(image, maps, result, first > 0 ? Accumulate::yes : Accumulate::no);
        },
        precision());
}

}  // namespace recon
