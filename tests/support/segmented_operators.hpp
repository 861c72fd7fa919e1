#pragma once

#include <memory>
#include <vector>

#include "core/operators/off_resonance.hpp"

namespace recon::test {

/// F^H F by time segments. @param q_of  function(weights of all samples) -> Array on the voxel differences
/// @param weights  [sample]; empty means 1
template <class QOf>
std::shared_ptr<const SegmentedToeplitz> segmented_toeplitz(Backend& backend, PerAxis<Index> matrix_size,
                                                            const OffResonanceMaps& maps,
                                                            const std::vector<float>& sample_times_s,
                                                            const std::vector<double>& weights, double tolerance,
                                                            Precision precision, QOf&& q_of) {
    const Shape image = Shape::image(matrix_size);
    const TimeSegments kernels = TimeSegments::fit(RateHistogram::of_pairs(maps), sample_times_s, tolerance);
    std::vector<std::unique_ptr<ToeplitzPlan>> segments;
    for (Index l = 0; l < kernels.count(); ++l) {
        std::vector<double> segment_weights(sample_times_s.size());
        for (std::size_t m = 0; m < segment_weights.size(); ++m) {
            segment_weights[m] = kernels.interpolator[l][m].real() * (weights.empty() ? 1 : weights[m]);
        }
        const Array q = q_of(segment_weights);
        segments.push_back(backend.make_toeplitz(
            image, q, precision, off_resonance_factor(backend, image, maps, kernels.centre_s[l], precision)));
    }
    return std::make_shared<const SegmentedToeplitz>(std::move(segments));
}

}  // namespace recon::test
