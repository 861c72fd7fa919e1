#include "core/operators/penalties/wavelet_sparsity.hpp"

#include <algorithm>

#include "core/backend/backend.hpp"
#include "core/operators/penalties/joint_sparsity.hpp"
#include "core/operators/penalties/shift_sequence.hpp"

namespace recon {
namespace {

Array minus_box(Backend& backend, const Shape& shape, const PerAxis<Index>& box, Precision precision) {
    const PerAxis<Index> size = shape.matrix_size();
    std::vector<cfloat> values(static_cast<std::size_t>(backend.listed(shape.element_count())));
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

std::vector<std::unique_ptr<const WaveletTransform>> transforms_of_places(Backend& backend, const Shape& shape,
                                                                          Precision precision, int place_count) {
    std::vector<std::unique_ptr<const WaveletTransform>> transforms;
    for (int place = 0; place < place_count; ++place) {
        PerAxis<Index> shift = spread_shift(place, WaveletTransform(backend, shape, precision).shift_range());
        for (int axis = 0; axis < 3; ++axis) {
            shift[axis] = std::min(shift[axis], shape.extent(axis) - 1);
        }
        transforms.push_back(std::make_unique<WaveletTransform>(backend, shape, precision, shift));
    }
    return transforms;
}

}  // namespace

WaveletSparsity::WaveletSparsity(Backend& backend, const Shape& image_shape, Precision precision, int place_count)
    : transforms_(transforms_of_places(backend, image_shape, precision, place_count)),
      minus_low_(minus_box(backend, image_shape, transforms_.at(0)->low_extent(), precision)) {}

void WaveletSparsity::proximal(double threshold, ArrayView z) const {
    Backend& backend = z.backend();
    Array mean(backend, z.shape(), z.precision());
    Array coefficients(backend, z.shape(), z.precision());
    Array work(backend, z.shape(), z.precision());
    backend.fill(0, mean);
    for (const auto& transform : transforms_) {
        transform->forward(z, coefficients);
        backend.multiply(Conjugate::no, minus_low_, coefficients, Accumulate::no, work);  // minus the low part
        backend.axpby(1, work, 1, coefficients);
        backend.image_primitives().soft_threshold(threshold, 1, coefficients);
        backend.axpby(-1, work, 1, coefficients);
        transform->adjoint(coefficients, work);
        backend.axpby(1.0 / static_cast<double>(transforms_.size()), work, 1, mean);
    }
    backend.copy(mean, z);
}

double WaveletSparsity::value(ConstArrayView z) const {
    Backend& backend = z.backend();
    Array coefficients(backend, z.shape(), z.precision());
    double sum = 0;
    for (const auto& transform : transforms_) {
        transform->forward(z, coefficients);
        backend.multiply(Conjugate::no, minus_low_, coefficients, Accumulate::yes, coefficients);
        sum += magnitude_sum(coefficients);
    }
    return sum / static_cast<double>(transforms_.size());
}

}  // namespace recon
