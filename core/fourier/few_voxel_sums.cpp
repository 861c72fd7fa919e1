#include "core/fourier/few_voxel_sums.hpp"

#include <string>

#include "core/base/error.hpp"
#include "core/fourier/few_voxel_kernels.hpp"

namespace recon {

namespace cpu_v3 {
[[gnu::weak]] SumsOfFewVoxels few_voxel_sums;
[[gnu::weak]] SumsOfEncoding few_voxel_sums_of_encoding;
}  // namespace cpu_v3
namespace cpu_v4 {
[[gnu::weak]] SumsOfFewVoxels few_voxel_sums;
[[gnu::weak]] SumsOfEncoding few_voxel_sums_of_encoding;
}  // namespace cpu_v4

namespace {

void require_length(const char* what, std::size_t found, Index expected) {
    if (static_cast<Index>(found) != expected) {
        throw ShapeError("sums at few voxels: " + std::string(what) + " has " + std::to_string(found) +
                         " elements, expected " + std::to_string(expected));
    }
}

void require_weights(std::span<const double> weights, Index sample_count) {
    if (!weights.empty()) {
        require_length("weights", weights.size(), sample_count);
    }
}

}  // namespace

FewVoxelSums::FewVoxelSums(const Trajectory& trajectory, Positions voxels, std::vector<cdouble> rates_per_s,
                           std::span<const float> sample_times_s)
    : trajectory_(trajectory),
      voxels_(std::move(voxels)),
      rates_per_s_(std::move(rates_per_s)),
      sample_times_s_(sample_times_s) {
    require_equal_lengths("sums at few voxels: trajectory", trajectory.k);
    require_equal_lengths("sums at few voxels: voxels", voxels_.r);
    if (!rates_per_s_.empty()) {
        require_length("rates", rates_per_s_.size(), voxel_count());
        require_length("sample times", sample_times_s_.size(), trajectory_.sample_count());
    }
}

std::vector<cdouble> FewVoxelSums::sums(std::span<const double> weights) const {
    require_weights(weights, trajectory_.sample_count());
    return at_cpu_level(&cpu_base::few_voxel_sums, &cpu_v3::few_voxel_sums, &cpu_v4::few_voxel_sums)(*this, weights);
}

FewVoxelSums::OfEncoding FewVoxelSums::of_encoding(std::span<const double> adjoint_weights,
                                                   std::span<const cfloat> kspace, Index coil_count,
                                                   std::span<const double> normal_weights, Index lit_count) const {
    const Index sample_count = trajectory_.sample_count();
    require_weights(adjoint_weights, sample_count);
    require_weights(normal_weights, sample_count);
    require_length("k-space", kspace.size(), sample_count * coil_count);
    return at_cpu_level(&cpu_base::few_voxel_sums_of_encoding, &cpu_v3::few_voxel_sums_of_encoding,
                        &cpu_v4::few_voxel_sums_of_encoding)(*this, adjoint_weights, kspace, coil_count, normal_weights,
                                                             lit_count);
}

double FewVoxelSums::predicted_seconds(double exponentials, double products) {
    constexpr double exponential_seconds = 4e-9;
    constexpr double product_seconds = 0.5e-9;
    return exponentials * exponential_seconds + products * product_seconds;
}

}  // namespace recon
