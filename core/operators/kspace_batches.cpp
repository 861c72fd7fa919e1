#include "core/operators/kspace_batches.hpp"

#include <algorithm>
#include <cmath>

#include "core/backend/backend.hpp"

namespace recon {
namespace {

/// sum over coils of |x_c|^2, one coil after the other: the same for every division into batches
double add_squares(double sum, ConstArrayView x) {
    for (Index coil = 0; coil < x.shape().extent(1); ++coil) {
        sum += x.backend().dot(x.slice(coil), x.slice(coil)).real();
    }
    return sum;
}

}  // namespace

KspaceBatches::KspaceBatches(Backend& backend, std::span<const cfloat> kspace, const Shape& shape,
                             std::span<const double> weights, Precision precision, Residency residency)
    : backend_(backend), shape_(shape), precision_(precision) {
    if (!weights.empty()) {
        weights_.emplace(backend, shape.without_last_axis(), precision);
        upload(std::vector<cdouble>(weights.begin(), weights.end()), *weights_);
    }
    if (residency == Residency::streamed) {
        streamed_.emplace(backend, kspace, shape);
    } else {
        on_backend_.emplace(backend, shape, precision);
        upload(kspace, *on_backend_);
        apply_weights(*on_backend_);
    }
}

void KspaceBatches::apply_weights(ArrayView coils) const {
    for (Index coil = 0; weights_ && coil < coils.shape().extent(1); ++coil) {
        backend_.multiply(Conjugate::no, *weights_, coils.slice(coil), Accumulate::no, coils.slice(coil));
    }
}

ConstArrayView KspaceBatches::coils(Index first, Index count) const {
    if (!streamed_) {
        return std::as_const(*on_backend_).view().slices(first, count);
    }
    if (!on_backend_ || on_backend_->shape().extent(1) < count) {
        on_backend_.reset();
        on_backend_.emplace(backend_, shape_.without_last_axis().with_axis("coil", count), precision_);
    }
    const ArrayView batch = on_backend_->view().slices(0, count);
    streamed_->load(first, batch);
    apply_weights(batch);
    return batch;
}

void encoding_adjoint(const Encoding& encoding, const KspaceBatches& kspace, ArrayView image) {
    encoding.backend().fill(0, image);
    for_each_batch(encoding, [&](Index first, Index count) {
        encoding.accumulate_adjoint_coils(kspace.coils(first, count), first, image);
    });
}

double relative_data_residual(const Encoding& encoding, ConstArrayView image, const KspaceBatches& kspace,
                              Communicator& ranks) {
    double data = 0;
    double difference = 0;
    for_each_batch(encoding, [&](Index first, Index count) {
        Array predicted(encoding.backend(), kspace.shape().without_last_axis().with_axis("coil", count),
                        encoding.precision());
        encoding.forward_coils(image, first, predicted);
        const ConstArrayView measured = kspace.coils(first, count);
        encoding.backend().axpby(-1, measured, 1, predicted);
        data = add_squares(data, measured);
        difference = add_squares(difference, predicted);
    });
    data = ranks.sum(data);
    difference = ranks.sum(difference);
    return data > 0 ? std::sqrt(difference / data) : 0;
}

double predicted_energy(const Encoding& encoding, ConstArrayView image, Communicator& ranks) {
    double energy = 0;
    for_each_batch(encoding, [&](Index first, Index count) {
        Array predicted(encoding.backend(), encoding.codomain().without_last_axis().with_axis("coil", count),
                        encoding.precision());
        encoding.forward_coils(image, first, predicted);
        energy = add_squares(energy, predicted);
    });
    return ranks.sum(energy);
}

}  // namespace recon
