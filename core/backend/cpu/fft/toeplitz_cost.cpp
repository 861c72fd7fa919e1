#include "core/backend/cpu/fft/toeplitz_cost.hpp"

#include <omp.h>

#include <cmath>

#include "core/backend/cpu/fft/toeplitz_embedding.hpp"
#include "core/processor/cpu_costs.hpp"

namespace recon {

double predicted_cpu_toeplitz_seconds(const Shape& image_shape, Index coil_count, Precision precision) {
    const ToeplitzEmbedding e(image_shape, precision);
    // What has a number other than zero in it, of the rows, then of the planes, then of the columns.
    const PerAxis<Index> pencils{e.image[1] * e.image[2], e.length[0] * e.image[2], e.length[0] * e.length[1]};
    double operations = 0;
    for (int axis = 0; axis < 3; ++axis) {
        const auto length = static_cast<double>(e.length[axis]);
        operations += 2 * static_cast<double>(pencils[axis]) * 5 * length * std::log2(length);  // there and back
    }
    const double of_single = static_cast<double>(complex_bytes(precision)) / sizeof(cfloat);
    return static_cast<double>(coil_count) * operations * of_single * cpu_costs().toeplitz_operation_s /
           omp_get_max_threads();
}

}  // namespace recon
