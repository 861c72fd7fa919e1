#include "core/operators/toeplitz_of_samples.hpp"

#include <utility>
#include <vector>

namespace recon {

std::unique_ptr<ToeplitzPlan> toeplitz_of_samples(Backend& backend, const ToeplitzSamples& samples,
                                                  std::optional<Array> modulation) {
    const Array q = compute_q(backend, samples.trajectory, samples.matrix_size, samples.weights, samples.q_options);
    return backend.make_toeplitz(Shape::image(samples.matrix_size), q, samples.precision, std::move(modulation));
}

std::unique_ptr<ToeplitzPlan> toeplitz_of_samples(Backend& backend, const ToeplitzSamples& samples,
                                                  const OffResonanceMaps& maps, const TimeSegments& segments) {
    return segmented_toeplitz(backend, Shape::image(samples.matrix_size), maps, segments, samples.weights, 0,
                              samples.trajectory.sample_count(), samples.precision,
                              [&](const std::vector<double>& weights, Array modulation) {
                                  ToeplitzSamples of_segment = samples;
                                  of_segment.weights = weights;
                                  return toeplitz_of_samples(backend, of_segment, std::move(modulation));
                              });
}

}  // namespace recon
