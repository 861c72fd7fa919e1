#pragma once

#include "core/image_primitives.hpp"

namespace recon {

class CpuImagePrimitives final : public ImagePrimitives {
private:
    void do_difference(int axis, ConstArrayView x, ArrayView y) const override;
    void do_add_adjoint_difference(int axis, ConstArrayView x, ArrayView y) const override;
    void do_difference_normal(const DifferenceWeights& weights, ConstArrayView x, ArrayView z) const override;
};

}  // namespace recon
