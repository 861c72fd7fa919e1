#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/backend/array.hpp"
#include "core/backend/block_grid.hpp"
#include "core/backend/wavelet_step.hpp"

namespace recon {

struct CoilMatrices;

/// What differences of neighbours are multiplied by: the pair (n, n + e) along an axis by factors[axis] weights[n,
/// axis].
struct DifferenceWeights {
    PerAxis<double> factors{1, 1, 1};
    std::optional<ConstArrayView> weights;  ///< [x y z axis], read as real, for the axes that have more than one voxel,
                                            ///< in their order; none: 1
};

/// Operations on images that know neighbours, for the terms that regularise a reconstruction. Images are [x y z], or
/// [x y z batch] for several at once; all operands of a call live on this backend and have one precision. The operands
/// are checked here, and the backend's `do_*` compute.
class ImagePrimitives {
public:
    virtual ~ImagePrimitives() = default;

    /// y[n] = x[n + e] - x[n] with e one voxel along `axis` (0: x, 1: y, 2: z), and 0 at the axis' end: a boundary that
    /// is free. @throws ShapeError unless x and y are images of one shape, and not the same array
    void difference(int axis, ConstArrayView x, ArrayView y) const;
    /// y[n] += x[n - e] - x[n], without the terms that `difference` lacks: y += D^H x. @throws ShapeError as above
    void add_adjoint_difference(int axis, ConstArrayView x, ArrayView y) const;

    /// z = sum over axes D^H V^2 D x in one pass, D the difference along the axis and V its weights:
    ///
    ///     z[n] = sum_a  v_a[n]^2 (x[n] - x[n + e_a]) + v_a[n - e_a]^2 (x[n] - x[n - e_a]),    v = factor weight,
    ///
    /// without the terms that would need a neighbour beyond an end. @throws ShapeError unless x and z are images [x y
    /// z] of one shape, not the same array, and the weights belong to them
    void difference_normal(const DifferenceWeights& weights, ConstArrayView x, ArrayView z) const;
    /// y[n] = x[places[0][n_x], places[1][n_y], places[2][n_z]]: voxels of an image in any order, some more than once.
    /// @throws ShapeError unless x and y are images [x y z] of one precision, not the same array, and there is a place
    /// within x for each coordinate of y
    void pick(const PerAxis<std::vector<Index>>& places, ConstArrayView x, ArrayView y) const;
    /// Weighted means of neighbours along an axis, of those that there are:
    ///
    ///     y[n] = sum_j w[|j|] x[n + j e] / sum_j w[|j|],    |j| < weights.size(), n + j e within the axis
    ///
    /// @param weights  of the voxel itself, the next ones, and so on; at most `most_weights`, none negative, the first
    /// positive  @throws ShapeError as `difference`, or for other weights
    void smooth(int axis, std::span<const double> weights, ConstArrayView x, ArrayView y) const;
    static constexpr std::size_t most_weights = 64;
    /// m[n] = sqrt(sum_i |z_i[n]|^2), where the z_i are the arrays like m that `z` consists of. m may be z.
    /// @throws ShapeError unless z consists of whole ones
    void joint_magnitudes(ConstArrayView z, ArrayView m) const;
    /// z_i[n] *= max(0, 1 - threshold / sqrt(sum_j |z_j[n]|^2)), where the z_i are `joint_count` equal parts of `z`:
    /// the proximal map of the sum of joint magnitudes. @throws ShapeError unless the parts are whole, the threshold
    /// not negative
    void soft_threshold(double threshold, Index joint_count, ArrayView z) const;
    /// y = x filtered by one step of a wavelet transform. Images as above. @throws ShapeError unless x and y are images
    /// of one shape, not the same array, the box is within them and has two voxels or more along the axis
    void wavelet_step(const WaveletStep& step, ConstArrayView x, ArrayView y) const;
    /// In each block of voxels, the matrix [voxel frame] = U S V^H of a series becomes U max(0, S - w threshold) V^H,
    /// w = sqrt(voxels of the block) + sqrt(frames): what white noise of standard deviation `threshold` has for a
    /// largest singular value. The proximal map of sum_blocks w |S|_1.
    /// @param x  [x y z frame]  @param y  like x, not x
    /// @param block_norms  [block], double precision: w |S|_1 of x  @throws ShapeError
    void shrink_singular_values(double threshold, const BlockGrid& blocks, ConstArrayView x, ArrayView y,
                                ArrayView block_norms) const;
    /// Eigenvector of the largest eigenvalue at every voxel of some planes of an image, its phase such that
    /// conj(reference).vector is positive.
    ///
    /// Power iteration, begun from the coils' images: of several eigenvalues that are all but the same, as ESPIRiT's
    /// near the edges of the field of view, their eigenvector is the one that the images lie along. (Begun from its
    /// neighbour's, a voxel keeps that even where it has become another one.) Each voxel by itself.
    /// @param first_coil  from which on elements are wanted  @param first_plane  along z
    /// @param vectors  [x y z coil] of the planes, single precision: of norm 1, 0 where the matrix is
    /// @param found  [x y z] of the planes, likewise: the eigenvalue, and as its imaginary part |vector^H m|^2 of the
    /// images m  @throws ShapeError
    void dominant_eigenvectors(const CoilMatrices& matrices, Index first_coil, Index first_plane, ArrayView vectors,
                               ArrayView found) const;

private:
    virtual void do_difference(int axis, ConstArrayView x, ArrayView y) const = 0;
    virtual void do_add_adjoint_difference(int axis, ConstArrayView x, ArrayView y) const = 0;
    virtual void do_difference_normal(const DifferenceWeights& weights, ConstArrayView x, ArrayView z) const = 0;
    virtual void do_pick(const PerAxis<std::vector<Index>>& places, ConstArrayView x, ArrayView y) const = 0;
    virtual void do_smooth(int axis, std::span<const double> weights, ConstArrayView x, ArrayView y) const = 0;
    virtual void do_joint_magnitudes(ConstArrayView z, ArrayView m) const = 0;
    virtual void do_soft_threshold(double threshold, Index joint_count, ArrayView z) const = 0;
    virtual void do_wavelet_step(const WaveletStep& step, ConstArrayView x, ArrayView y) const = 0;
    virtual void do_shrink_singular_values(double threshold, const BlockGrid& blocks, ConstArrayView x, ArrayView y,
                                           ArrayView block_norms) const = 0;
    virtual void do_dominant_eigenvectors(const CoilMatrices& matrices, Index first_coil, Index first_plane,
                                          ArrayView vectors, ArrayView found) const = 0;
};

}  // namespace recon
