#include "core/operators/wavelet_sparsity.hpp"

#include <algorithm>

#include "core/backend.hpp"
#include "core/operators/joint_sparsity.hpp"
#include "core/shift_sequence.hpp"

namespace recon {
namespace {

Array minus_box(Backend& backend, const Shape& shape, const PerAxis<Index>& box, Precision precision) {
    const PerAxis<Index> size = shape.matrix_size();
    std::vector<cfloat> values(shape.element_count());
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto n = static_cast<Index>(i);
        const bool inside =
            n % size[0] < box[0] && n / size[0] % size[1] < box[1] && n / (size[0] * size[1]) % size[2] < box[2];
        values[i] = inside ? -1.0F : 0.0F;
    }
    Array array(backend, shape, precision);
    upload(std::span<const cfloat>(values), array);
    return array;
}

}  // namespace

WaveletSparsity::WaveletSparsity(Backend& backend, const Shape& image_shape, Precision precision)
    : transform_(backend, image_shape, precision),
      minus_low_(minus_box(backend, image_shape, transform_.low_extent(), precision)) {}

void WaveletSparsity::proximal(double threshold, int iteration, ArrayView z) const {
    Backend& backend = transform_.backend();
    PerAxis<Index> shift = shift_of_iteration(iteration, transform_.shift_range());
    for (int axis = 0; axis < 3; ++axis) {
        shift[axis] = std::min(shift[axis], z.shape().extent(axis) - 1);
    }
    const WaveletTransform shifted(backend, z.shape(), z.precision(), shift);
    Array coefficients(backend, z.shape(), z.precision());
    shifted.forward(z, coefficients);
    backend.multiply(Conjugate::no, minus_low_, coefficients, Accumulate::no, z);  // kept aside, with the sign of minus
    backend.axpby(1, z, 1, coefficients);
    backend.image_primitives().soft_threshold(threshold, 1, coefficients);
    backend.axpby(-1, z, 1, coefficients);
    shifted.adjoint(coefficients, z);
}

double WaveletSparsity::value(ConstArrayView z) const {
    Backend& backend = transform_.backend();
    Array coefficients(backend, z.shape(), z.precision());
    transform_.forward(z, coefficients);
    backend.multiply(Conjugate::no, minus_low_, coefficients, Accumulate::yes, coefficients);
    return magnitude_sum(coefficients);
}

}  // namespace recon
