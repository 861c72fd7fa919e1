#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/backend/array.hpp"
#include "core/fourier/gridding_kernel.hpp"
#include "core/fourier/positions.hpp"
#include "core/fourier/trajectory.hpp"
#include "core/fourier/voxel_grid.hpp"

namespace recon {

/// The two sums between voxels and samples, for any number of images at once:
///
///     forward  s[m,b] = sum_n rho[n,b] exp(-i 2 pi k_m.r_n)
///     adjoint  rho[n,b] = sum_m s[m,b] exp(+i 2 pi k_m.r_n)
///
/// Two ways to compute them exist behind this interface: exact sums (a plan of the backend) and the NUFFT
/// (core/operators/sampling/nufft.hpp, made of the plans below). With off-resonance each pair has a further factor
/// exp(-z_n t_m) (OffResonanceMaps), conjugated in the adjoint: exact sums with it in the exponent (a plan of the
/// backend), or time segments (core/operators/off_resonance.hpp).
class FourierSums {
public:
    virtual ~FourierSums() = default;
    FourierSums(const VoxelGrid& grid, Index sample_count, Precision precision)
        : grid_(grid), sample_count_(sample_count), precision_(precision) {}

    const VoxelGrid& grid() const { return grid_; }
    Index sample_count() const { return sample_count_; }
    Precision precision() const { return precision_; }

    /// @param image [x y z] or [x y z batch], @param samples [sample] or [sample batch]; overwrites the output.
    /// @throws ShapeError
    void forward(ConstArrayView image, ArrayView samples) const;
    void adjoint(ConstArrayView samples, ArrayView image) const;

    /// How the sums of one image are computed, for the log; empty where there is no choice.
    virtual std::string description() const { return {}; }

private:
    void require_matching(ConstArrayView image, ConstArrayView samples) const;
    virtual void do_forward(ConstArrayView image, ArrayView samples) const = 0;  ///< batch axis always there
    virtual void do_adjoint(ConstArrayView samples, ArrayView image) const = 0;

    VoxelGrid grid_;
    Index sample_count_;
    Precision precision_;
};

/// Where the samples of a trajectory fall on an oversampled, periodic k-space grid.
struct GriddingGeometry {
    PerAxis<Index> grid_size;    ///< G; 1 for an axis that takes no part
    PerAxis<double> grid_steps;  ///< grid points per cycle per FOV: sample k falls on k * grid_steps, modulo G
    GriddingKernel kernel;       ///< the same along every axis; ignored along an axis with G = 1
};

/// Convolution of samples with the gridding kernel, and its transpose. Deterministic: the same bytes every run.
class GriddingPlan {
public:
    virtual ~GriddingPlan() = default;
    GriddingPlan(const GriddingGeometry& geometry, Index sample_count, Precision precision)
        : grid_shape_(Shape::image(geometry.grid_size)), sample_count_(sample_count), precision_(precision) {}

    const Shape& grid_shape() const { return grid_shape_; }
    Index sample_count() const { return sample_count_; }
    Precision precision() const { return precision_; }

    /// grid[g,b] = sum_m samples[m,b] prod_axis kernel(g - k_m * grid_steps). Grid [x y z batch] in FFT order (index 0
    /// is k = 0, negative frequencies at the end); overwritten. Samples [sample batch]. @throws ShapeError
    void spread(ConstArrayView samples, ArrayView grid) const;
    /// samples[m,b] = sum_g grid[g,b] prod_axis kernel(g - k_m * grid_steps). @throws ShapeError
    void interpolate(ConstArrayView grid, ArrayView samples) const;

    /// Memory of the backend that the plan holds, and that a call with so many images takes besides while it runs.
    virtual std::size_t plan_bytes() const = 0;
    virtual std::size_t scratch_bytes(Index batch_count) const = 0;

private:
    virtual void do_spread(Index batch_count, ConstArrayView samples, ArrayView grid) const = 0;
    virtual void do_interpolate(Index batch_count, ConstArrayView grid, ArrayView samples) const = 0;
    Index matching_batch_count(ConstArrayView samples, ConstArrayView grid) const;

    Shape grid_shape_;
    Index sample_count_;
    Precision precision_;
};

/// Sizes and weights of an FFT whose input fills a part of its grid.
struct PaddedFftGeometry {
    VoxelGrid image;                      ///< image index i sits at grid index (i - origin) modulo G
    PerAxis<Index> grid_size;             ///< G >= image extent, of the form 2^a 3^b 5^c
    PerAxis<std::vector<double>> weight;  ///< real factor of each image index, one list an axis (1/deapodisation)
};

/// FFT of a zero-padded, weighted image, and its transpose, without ever transforming the zeros. Unscaled.
class PaddedFftPlan {
public:
    virtual ~PaddedFftPlan() = default;
    PaddedFftPlan(const PaddedFftGeometry& geometry, Precision precision)
        : image_shape_(geometry.image.shape), grid_shape_(Shape::image(geometry.grid_size)), precision_(precision) {}

    const Shape& image_shape() const { return image_shape_; }
    const Shape& grid_shape() const { return grid_shape_; }
    Precision precision() const { return precision_; }

    /// grid[g,b] = sum_i weight[i] image[i,b] exp(-i 2 pi g.(i - origin) / G); grid overwritten. @throws ShapeError
    void forward(ConstArrayView image, ArrayView grid) const;
    /// image[i,b] = weight[i] sum_g grid[g,b] exp(+i 2 pi g.(i - origin) / G); grid destroyed, image overwritten.
    /// @throws ShapeError
    void adjoint(ArrayView grid, ArrayView image) const;

private:
    virtual void do_forward(Index batch_count, ConstArrayView image, ArrayView grid) const = 0;
    virtual void do_adjoint(Index batch_count, ArrayView grid, ArrayView image) const = 0;
    Index matching_batch_count(ConstArrayView image, ConstArrayView grid) const;

    Shape image_shape_;
    Shape grid_shape_;
    Precision precision_;
};

/// Convolution of an image between coil maps. Linear, with Q: the Toeplitz form of F^H W F, and with the modulation D
/// that a plan may hold, one time segment of off-resonance. Or round a grid of its own, by factors of frequencies:
/// circulant.
class ToeplitzPlan {
public:
    virtual ~ToeplitzPlan() = default;
    ToeplitzPlan(const Shape& image_shape, Precision precision) : image_shape_(image_shape), precision_(precision) {}

    const Shape& image_shape() const { return image_shape_; }
    Precision precision() const { return precision_; }

    /// result = conj(D) sum_c conj(S_c) (Q * (S_c D image)), or that added to it; circulant, crop F^-1 (h F pad x) in
    /// place of Q * x, F the FFT and h the factors. The coils are added one after the
    /// other: the same bytes whether they come in one call or in several.
    /// @param coil_maps [x y z coil]; none means a single coil of sensitivity 1. @param result not `image`
    /// @throws ShapeError
    void apply(ConstArrayView image, const std::optional<ConstArrayView>& coil_maps, ArrayView result,
               Accumulate accumulate = Accumulate::no) const;

    /// @throws ShapeError unless Q and the modulation fit the image, and the modulation the precision
    static void require_parts(const Shape& image_shape, ConstArrayView q, Precision precision,
                              const std::optional<Array>& modulation);
    /// @throws ShapeError unless they are those of a grid that holds the image, and has one point along an axis of one
    static void require_factors(const Shape& image_shape, ConstArrayView factors);

private:
    virtual void do_apply(ConstArrayView image, const std::optional<ConstArrayView>& coil_maps, ArrayView result,
                          Accumulate accumulate) const = 0;

    Shape image_shape_;
    Precision precision_;
};

/// The adjoint sum at positions that need not lie on a grid, one exponential for every pair of sample and position:
///
///     result[n] = sum_m samples[m] exp(+i 2 pi k_m.r_n)
///
/// Trajectory and positions are held in the plan's precision: in single, numbers that are no floats lose digits.
class PositionSums {
public:
    virtual ~PositionSums() = default;
    PositionSums(Index sample_count, Index position_count, Precision precision)
        : sample_count_(sample_count), position_count_(position_count), precision_(precision) {}

    Index sample_count() const { return sample_count_; }
    Index position_count() const { return position_count_; }
    Precision precision() const { return precision_; }

    /// @param samples [sample], @param result [position], overwritten. @throws ShapeError
    void adjoint(ConstArrayView samples, ArrayView result) const;

private:
    virtual void do_adjoint(ConstArrayView samples, ArrayView result) const = 0;

    Index sample_count_;
    Index position_count_;
    Precision precision_;
};

}  // namespace recon
