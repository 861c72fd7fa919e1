#pragma once

#include "core/block_grid.hpp"
#include "core/penalty.hpp"

namespace recon {

/// f(x) = sum_blocks (sqrt(voxels) + sqrt(frames)) |M_block|_*, the nuclear norms of the blocks' matrices [voxel frame]
/// of a series [x y z frame] [Trzasko 2011]: within a block the frames should be combinations of few images. The factor
/// is the largest singular value of white noise of unit standard deviation, so that one weight suits any size of block
/// and number of frames. The blocks move from iteration to iteration.
class LocalLowRank final : public Penalty {
public:
    /// @param series_shape  [x y z frame]
    explicit LocalLowRank(const Shape& series_shape);

    /// Blocks of about 64 voxels: 8 x 8 in two dimensions, 4 x 4 x 4 in three.
    static PerAxis<Index> default_block_size(const PerAxis<Index>& matrix_size);

    void proximal(double threshold, int iteration, ArrayView z) const override;
    double value(ConstArrayView z) const override;

private:
    BlockGrid blocks_of(int iteration) const;

    BlockGrid blocks_;
};

}  // namespace recon
