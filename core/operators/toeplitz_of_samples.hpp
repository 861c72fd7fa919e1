#pragma once

#include <memory>
#include <optional>
#include <span>

#include "core/operators/off_resonance.hpp"
#include "core/operators/q_kernel.hpp"

namespace recon {

/// Samples whose F^H W F is wanted. What it refers to outlives the call.
struct ToeplitzSamples {
    const Trajectory& trajectory;
    PerAxis<Index> matrix_size;
    std::span<const double> weights;  ///< W, [sample]; empty means 1
    SumsOptions q_options;            ///< of compute_q
    Precision precision;              ///< of images
};

/// F^H W F in Toeplitz form, from these samples' Q. @param modulation  as for PlanFactory::make_toeplitz
std::unique_ptr<ToeplitzPlan> toeplitz_of_samples(Backend& backend, const ToeplitzSamples& samples,
                                                  std::optional<Array> modulation = {});
/// The same with off-resonance. @param segments  of rates of pairs, of these samples
std::unique_ptr<ToeplitzPlan> toeplitz_of_samples(Backend& backend, const ToeplitzSamples& samples,
                                                  const OffResonanceMaps& maps, const TimeSegments& segments);

}  // namespace recon
