#pragma once

#include <vector>

#include "core/backend/block_grid.hpp"
#include "core/operators/penalties/penalty.hpp"

namespace recon {

/// f(x) = sum_blocks (sqrt(voxels) + sqrt(frames)) |M_block|_*, the nuclear norms of the blocks' matrices [voxel frame]
/// of a series [x y z frame] [Trzasko 2011]: within a block the frames should be combinations of few images. The factor
/// is the largest singular value of white noise of unit standard deviation, so that one weight suits any size of block
/// and number of frames.
///
/// To hide the blocks, they lie in several places. The proximal map is the mean of those of the places, and so that of
/// one convex function, their proximal average [Bauschke 2008]; `value` is the mean of f, a little above it.
class LocalLowRank final : public Penalty {
public:
    /// @param series_shape  [x y z frame]
    explicit LocalLowRank(const Shape& series_shape, int place_count = 4);

    /// Blocks of about 64 voxels: 8 x 8 in two dimensions, 4 x 4 x 4 in three.
    static PerAxis<Index> default_block_size(const PerAxis<Index>& matrix_size);

    void proximal(double threshold, ArrayView z) const override;
    double value(ConstArrayView z) const override;

private:
    std::vector<BlockGrid> places_;
};

}  // namespace recon
