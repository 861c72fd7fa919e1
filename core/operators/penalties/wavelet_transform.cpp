#include "core/operators/penalties/wavelet_transform.hpp"

#include <algorithm>
#include <utility>

#include "core/backend/backend.hpp"

namespace recon {
namespace {

/// y = all steps, in their order, applied to x. Every step writes a whole array; the last one writes y.
void apply(const std::vector<WaveletStep>& steps, ConstArrayView x, ArrayView y) {
    Backend& backend = x.backend();
    if (steps.empty()) {
        backend.copy(x, y);
        return;
    }
    Array between(backend, x.shape(), x.precision());
    ArrayView to = steps.size() % 2 == 1 ? y : between.view();
    ArrayView other = steps.size() % 2 == 1 ? between.view() : y;
    ConstArrayView from = x;
    for (const WaveletStep& step : steps) {
        backend.image_primitives().wavelet_step(step, from, to);
        from = to;
        std::swap(to, other);
    }
}

}  // namespace

WaveletTransform::WaveletTransform(Backend& backend, const Shape& image_shape, Precision precision,
                                   PerAxis<Index> shift)
    : LinearOperator("wavelet transform", backend, image_shape, image_shape, precision),
      low_extent_(image_shape.matrix_size()) {
    for (int level = 0; level < most_levels; ++level) {
        const PerAxis<Index> box = low_extent_;
        for (int axis = 0; axis < 3; ++axis) {
            if (box[axis] >= least_extent) {
                steps_.push_back({axis, box, level == 0 ? shift[axis] : 0, WaveletDirection::analysis});
                low_extent_[axis] = (box[axis] + 1) / 2;
                ++levels_[axis];
            }
        }
    }
}

PerAxis<Index> WaveletTransform::shift_range() const {
    PerAxis<Index> range{};
    for (int axis = 0; axis < 3; ++axis) {
        range[axis] = Index{1} << levels_[axis];
    }
    return range;
}

void WaveletTransform::do_forward(ConstArrayView x, ArrayView y) const { apply(steps_, x, y); }

void WaveletTransform::do_adjoint(ConstArrayView y, ArrayView x) const {
    std::vector<WaveletStep> steps(steps_.rbegin(), steps_.rend());
    for (WaveletStep& step : steps) {
        step.direction = WaveletDirection::synthesis;
    }
    apply(steps, y, x);
}

void WaveletTransform::do_normal(ConstArrayView x, ArrayView z) const { backend().copy(x, z); }

}  // namespace recon
