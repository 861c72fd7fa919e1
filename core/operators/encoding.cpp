#include "core/operators/encoding.hpp"

#include <algorithm>

#include "core/backend.hpp"

namespace recon {
Encoding::Encoding(Backend& backend, Parts parts)
    : LinearOperator("encoding", backend, parts.sums->grid().shape,
                     Shape::samples(parts.sums->sample_count()).with_axis("coil", parts.coils->coil_count()),
                     parts.sums->precision()),
      parts_(std::move(parts)) {}

Encoding Encoding::unweighted() const { return Encoding(backend(), {parts_.sums, parts_.coils, nullptr, nullptr}); }

Index Encoding::coils_at_once() const {
    const std::size_t one = domain().element_count() * complex_bytes(precision());
    return std::clamp<Index>(static_cast<Index>(coil_batch_bytes / one), 1, parts_.coils->coil_count());
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

void Encoding::do_forward(ConstArrayView image, ArrayView kspace) const {
    const Index coil_count = parts_.coils->coil_count();
    Array coil_images(backend(), domain().with_axis("coil", coils_at_once()), precision());
    for (Index first = 0; first < coil_count; first += coils_at_once()) {
        const Index count = std::min(coils_at_once(), coil_count - first);
        const ArrayView batch = coil_images.view().slices(0, count);
        parts_.coils->forward(image, first, batch);
        parts_.sums->forward(batch, kspace.slices(first, count));
        apply_sample_factors(kspace.slices(first, count), kspace.slices(first, count));
    }
}

void Encoding::do_adjoint(ConstArrayView kspace, ArrayView image) const {
    const Index coil_count = parts_.coils->coil_count();
    Array coil_images(backend(), domain().with_axis("coil", coils_at_once()), precision());
    std::optional<Array> weighted;
    if (parts_.sample_factors) {
        weighted.emplace(backend(), codomain().without_last_axis().with_axis("coil", coils_at_once()), precision());
    }
    backend().fill(0, image);
    for (Index first = 0; first < coil_count; first += coils_at_once()) {
        const Index count = std::min(coils_at_once(), coil_count - first);
        const ArrayView batch = coil_images.view().slices(0, count);
        ConstArrayView samples = kspace.slices(first, count);
        if (weighted) {
            apply_sample_factors(samples, weighted->view().slices(0, count));
            samples = weighted->view().slices(0, count);
        }
        parts_.sums->adjoint(samples, batch);
        parts_.coils->accumulate_adjoint(batch, first, image);
    }
}

void Encoding::do_normal(ConstArrayView image, ArrayView result) const {
    if (parts_.toeplitz) {
        parts_.toeplitz->apply(image, parts_.coils->maps(), result);
    } else {
        LinearOperator::do_normal(image, result);
    }
}

}  // namespace recon
