#include "core/operators/off_resonance.hpp"

#include <complex>

namespace recon {
namespace {

/// to[b] = m from[b], with m conjugated or not, for every element of the batch axis
void multiply_batch(Conjugate conjugate, ConstArrayView m, ConstArrayView from, Accumulate accumulate, ArrayView to) {
    for (Index i = 0; i < from.shape().extent(from.shape().rank() - 1); ++i) {
        m.backend().multiply(conjugate, m, from.slice(i), accumulate, to.slice(i));
    }
}

}  // namespace

Array off_resonance_factor(Backend& backend, const Shape& shape, const OffResonanceMaps& maps, double tau_s,
                           Precision precision) {
    std::vector<cdouble> factor(static_cast<std::size_t>(backend.listed(shape.element_count())));
    for (std::size_t n = 0; n < factor.size(); ++n) {
        factor[n] = std::exp(-maps.rate_per_s(static_cast<Index>(n)) * tau_s);
    }
    Array array(backend, shape, precision);
    upload(factor, array);
    return array;
}

SegmentedSums::SegmentedSums(Backend& backend, std::shared_ptr<const FourierSums> sums, const OffResonanceMaps& maps,
                             const TimeSegments& segments)
    : FourierSums(sums->grid(), sums->sample_count(), sums->precision()), sums_(std::move(sums)) {
    maps.require_valid(grid().shape.element_count());
    for (Index l = 0; l < segments.count(); ++l) {
        factor_maps_.push_back(off_resonance_factor(backend, grid().shape, maps, segments.centre_s[l], precision()));
        interpolators_.emplace_back(backend, Shape::samples(sample_count()), precision());
        upload(segments.interpolator[l], interpolators_.back());
    }
}

void SegmentedSums::do_forward(ConstArrayView image, ArrayView samples) const {
    Backend& backend = image.backend();
    Array segment_image(backend, image.shape(), precision());
    Array segment_samples(backend, samples.shape(), precision());
    backend.fill(0, samples);
    for (std::size_t l = 0; l < factor_maps_.size(); ++l) {
        multiply_batch(Conjugate::no, factor_maps_[l], image, Accumulate::no, segment_image);
        sums_->forward(segment_image, segment_samples);
        multiply_batch(Conjugate::no, interpolators_[l], segment_samples, Accumulate::yes, samples);
    }
}

void SegmentedSums::do_adjoint(ConstArrayView samples, ArrayView image) const {
    Backend& backend = image.backend();
    Array segment_image(backend, image.shape(), precision());
    Array segment_samples(backend, samples.shape(), precision());
    backend.fill(0, image);
    for (std::size_t l = 0; l < factor_maps_.size(); ++l) {
        multiply_batch(Conjugate::yes, interpolators_[l], samples, Accumulate::no, segment_samples);
        sums_->adjoint(segment_samples, segment_image);
        multiply_batch(Conjugate::yes, factor_maps_[l], segment_image, Accumulate::yes, image);
    }
}

void SegmentedToeplitz::do_apply(ConstArrayView image, const std::optional<ConstArrayView>& coil_maps, ArrayView result,
                                 Accumulate accumulate) const {
    for (const auto& segment : segments_) {
        segment->apply(image, coil_maps, result, accumulate);
        accumulate = Accumulate::yes;
    }
}

std::unique_ptr<ToeplitzPlan> segmented_toeplitz(
    Backend& backend, const Shape& image_shape, const OffResonanceMaps& maps, const TimeSegments& segments,
    std::span<const double> weights, Index first_sample, Index sample_count, Precision precision,
    const std::function<std::unique_ptr<ToeplitzPlan>(const std::vector<double>& weights, Array modulation)>& plan_of) {
    std::vector<std::unique_ptr<ToeplitzPlan>> plans;
    for (Index l = 0; l < segments.count(); ++l) {
        std::vector<double> of_segment(static_cast<std::size_t>(backend.listed(sample_count)));
        for (std::size_t m = 0; m < of_segment.size(); ++m) {
            of_segment[m] = segments.interpolator[l][first_sample + m].real() * (weights.empty() ? 1 : weights[m]);
        }
        plans.push_back(
            plan_of(of_segment, off_resonance_factor(backend, image_shape, maps, segments.centre_s[l], precision)));
    }
    return std::make_unique<SegmentedToeplitz>(std::move(plans));
}

}  // namespace recon
