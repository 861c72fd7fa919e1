#pragma once

#include "core/backend/image_primitives.hpp"

namespace recon {

class CpuImagePrimitives final : public ImagePrimitives {
private:
    void do_difference(int axis, ConstArrayView x, ArrayView y) const override;
    void do_add_adjoint_difference(int axis, ConstArrayView x, ArrayView y) const override;
    void do_difference_normal(const DifferenceWeights& weights, ConstArrayView x, ArrayView z) const override;
    void do_pick(const PerAxis<std::vector<Index>>& places, ConstArrayView x, ArrayView y) const override;
    void do_smooth(int axis, std::span<const double> weights, ConstArrayView x, ArrayView y) const override;
    void do_joint_magnitudes(ConstArrayView z, ArrayView m) const override;
    void do_soft_threshold(double threshold, Index joint_count, ArrayView z) const override;
    void do_wavelet_step(const WaveletStep& step, ConstArrayView x, ArrayView y) const override;
    void do_shrink_singular_values(double threshold, const BlockGrid& blocks, ConstArrayView x, ArrayView y,
                                   ArrayView block_norms) const override;
    void do_dominant_eigenvectors(const CoilMatrices& matrices, Index first_coil, Index first_plane, ArrayView vectors,
                                  ArrayView found) const override;
};

}  // namespace recon
