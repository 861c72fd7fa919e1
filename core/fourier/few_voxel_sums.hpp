#pragma once

#include <span>
#include <vector>

#include "core/base/types.hpp"
#include "core/fourier/positions.hpp"
#include "core/fourier/trajectory.hpp"

namespace recon {

/// Exact sums over all samples at a few voxels, for as many coils as there are, with one exponential for each pair of a
/// sample and a voxel,
///
///     e[m,v] = exp(+i 2 pi k_m.r_v) exp(-conj(z_v) t_m),
///
/// in double and on the host, each sample's data read once. What a run checks itself with: a fraction of the time of
/// core/fourier/direct_sums, which it is tested against. The same bytes for any number of threads.
class FewVoxelSums {
public:
    /// @param trajectory  outlives the sums, as do the times
    /// @param rates_per_s  z of each voxel (OffResonanceMaps); empty means 0
    /// @param sample_times_s  [sample]; needed with rates alone
    /// @throws ShapeError if lists differ in length
    FewVoxelSums(const Trajectory& trajectory, Positions voxels, std::vector<cdouble> rates_per_s = {},
                 std::span<const float> sample_times_s = {});

    Index voxel_count() const { return voxels_.count(); }
    const Trajectory& trajectory() const { return trajectory_; }
    const Positions& voxels() const { return voxels_; }
    const std::vector<cdouble>& rates_per_s() const { return rates_per_s_; }
    std::span<const float> sample_times_s() const { return sample_times_s_; }

    /// s[v] = sum_m weights[m] e[m,v]. @param weights  [sample]; empty means 1, here and below
    std::vector<cdouble> sums(std::span<const double> weights) const;

    struct OfEncoding {
        std::vector<cdouble> adjoint;  ///< [voxel coil]: sum_m adjoint_weights[m] kspace[m,c] e[m,v]
        std::vector<cdouble> normal;   ///< [voxel lit]: sum_m normal_weights[m] e[m,v] conj(e[m,lit])
    };
    /// Both in one pass. @param kspace  [sample coil]  @param lit_count  how many of the first voxels are lit
    OfEncoding of_encoding(std::span<const double> adjoint_weights, std::span<const cfloat> kspace, Index coil_count,
                           std::span<const double> normal_weights, Index lit_count) const;

    /// What they cost in core seconds, roughly and for any processor alike.
    /// @param exponentials  pairs of a sample and a voxel, @param products  of two complex numbers
    static double predicted_seconds(double exponentials, double products);

private:
    const Trajectory& trajectory_;
    Positions voxels_;
    std::vector<cdouble> rates_per_s_;
    std::span<const float> sample_times_s_;
};

}  // namespace recon
