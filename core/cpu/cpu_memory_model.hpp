#pragma once

#include <cstddef>

#include "core/plans.hpp"

namespace recon {

/// What a plan of the CPU backend occupies, to be known before it is made.
struct PlanBytes {
    std::size_t held;        ///< for as long as the plan lives, scratch of its runs included
    std::size_t while_made;  ///< more than that while it is made
};

/// @param q_precision that of the Q handed over, whose own memory is not counted
PlanBytes cpu_toeplitz_bytes(const Shape& image_shape, Index coil_count, Precision precision, Precision q_precision,
                             Index thread_count);

/// The grid and the image are the caller's and not counted.
PlanBytes cpu_padded_fft_bytes(const PaddedFftGeometry& geometry, Precision precision, Index thread_count);

}  // namespace recon
