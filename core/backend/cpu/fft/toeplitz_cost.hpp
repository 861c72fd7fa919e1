#pragma once

#include "core/base/shape.hpp"
#include "core/base/types.hpp"

namespace recon {

/// Seconds that an apply of the Toeplitz plan should take with the present number of threads: the operations of its
/// transforms by cpu_costs().
double predicted_cpu_toeplitz_seconds(const Shape& image_shape, Index coil_count, Precision precision);

}  // namespace recon
