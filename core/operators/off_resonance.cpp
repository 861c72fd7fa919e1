#include "core/operators/off_resonance.hpp"

#include <cmath>

namespace recon {
namespace {

/// to[b] = m from[b], with m conjugated or not, for every element of the batch axis
void multiply_batch(Conjugate conjugate, ConstArrayView m, ConstArrayView from, Accumulate accumulate, ArrayView to) {
    for (Index i = 0; i < from.shape().extent(from.shape().rank() - 1); ++i) {
        m.backend().multiply(conjugate, m, from.slice(i), accumulate, to.slice(i));
    }
}

}  // namespace

Array off_resonance_phase(Backend& backend, const Shape& shape, std::span<const float> off_resonance_hz, double tau_s,
                          Precision precision) {
    std::vector<cdouble> phase(off_resonance_hz.size());
    for (std::size_t n = 0; n < phase.size(); ++n) {
        phase[n] = std::polar(1.0, -2 * pi * off_resonance_hz[n] * tau_s);
    }
    Array array(backend, shape, precision);
    upload(phase, array);
    return array;
}

SegmentedSums::SegmentedSums(Backend& backend, std::shared_ptr<const FourierSums> sums,
                             std::span<const float> off_resonance_hz, const TimeSegments& segments)
    : FourierSums(sums->grid(), sums->sample_count(), sums->precision()), sums_(std::move(sums)) {
    for (Index l = 0; l < segments.count(); ++l) {
        phase_maps_.push_back(
            off_resonance_phase(backend, grid().shape, off_resonance_hz, segments.centre_s[l], precision()));
        interpolators_.emplace_back(backend, Shape::samples(sample_count()), precision());
        upload(segments.interpolator[l], interpolators_.back());
    }
}

void SegmentedSums::do_forward(ConstArrayView image, ArrayView samples) const {
    Backend& backend = image.backend();
    Array segment_image(backend, image.shape(), precision());
    Array segment_samples(backend, samples.shape(), precision());
    backend.fill(0, samples);
    for (std::size_t l = 0; l < phase_maps_.size(); ++l) {
        multiply_batch(Conjugate::no, phase_maps_[l], image, Accumulate::no, segment_image);
        sums_->forward(segment_image, segment_samples);
        multiply_batch(Conjugate::no, interpolators_[l], segment_samples, Accumulate::yes, samples);
    }
}

void SegmentedSums::do_adjoint(ConstArrayView samples, ArrayView image) const {
    Backend& backend = image.backend();
    Array segment_image(backend, image.shape(), precision());
    Array segment_samples(backend, samples.shape(), precision());
    backend.fill(0, image);
    for (std::size_t l = 0; l < phase_maps_.size(); ++l) {
        multiply_batch(Conjugate::yes, interpolators_[l], samples, Accumulate::no, segment_samples);
        sums_->adjoint(segment_samples, segment_image);
        multiply_batch(Conjugate::yes, phase_maps_[l], segment_image, Accumulate::yes, image);
    }
}

void SegmentedToeplitz::apply(ConstArrayView image, const std::optional<ConstArrayView>& coil_maps, ArrayView result,
                              Accumulate accumulate) const {
    Backend& backend = image.backend();
    Array modulated(backend, image.shape(), image.precision());
    Array convolved(backend, image.shape(), image.precision());
    if (accumulate == Accumulate::no) {
        backend.fill(0, result);
    }
    for (const Segment& segment : segments_) {
        backend.multiply(Conjugate::no, segment.phase_map, image, Accumulate::no, modulated);
        segment.toeplitz->apply(modulated, coil_maps, convolved, Accumulate::no);
        backend.multiply(Conjugate::yes, segment.phase_map, convolved, Accumulate::yes, result);
    }
}

}  // namespace recon
