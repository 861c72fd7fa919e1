#include "core/fourier/direct_sums.hpp"

#include <string>

#include "core/base/error.hpp"
#include "core/fourier/direct_sum_kernels.hpp"

namespace recon {

namespace cpu_v3 {
[[gnu::weak]] DirectSums direct_sums;
}
namespace cpu_v4 {
[[gnu::weak]] DirectSums direct_sums;
}

namespace {

std::vector<cdouble> sums(int sign, const DirectSources& sources, const PerAxis<std::vector<double>>& targets) {
    return at_cpu_level(&cpu_base::direct_sums, &cpu_v3::direct_sums, &cpu_v4::direct_sums)(sign, sources, targets);
}

void require_size(const char* what, std::size_t found, Index expected) {
    if (static_cast<Index>(found) != expected) {
        throw ShapeError("direct sums: " + std::string(what) + " has " + std::to_string(found) +
                         " elements, expected " + std::to_string(expected));
    }
}

}  // namespace

std::vector<cdouble> direct_forward(const Trajectory& trajectory, const Positions& positions,
                                    std::span<const cdouble> values) {
    require_equal_lengths("direct sums: trajectory", trajectory.k);
    require_equal_lengths("direct sums: positions", positions.r);
    require_size("image", values.size(), positions.count());
    return sums(-1, DirectSources(positions.r, values), trajectory.k);
}

std::vector<cdouble> direct_adjoint(const Trajectory& trajectory, const Positions& positions,
                                    std::span<const cdouble> samples) {
    require_equal_lengths("direct sums: trajectory", trajectory.k);
    require_equal_lengths("direct sums: positions", positions.r);
    require_size("k-space", samples.size(), trajectory.sample_count());
    return sums(+1, DirectSources(trajectory.k, samples), positions.r);
}

std::vector<cdouble> direct_forward(const Trajectory& trajectory, const VoxelGrid& grid,
                                    std::span<const cdouble> image) {
    return direct_forward(trajectory, Positions::of(grid), image);
}

std::vector<cdouble> direct_adjoint(const Trajectory& trajectory, const VoxelGrid& grid,
                                    std::span<const cdouble> samples) {
    return direct_adjoint(trajectory, Positions::of(grid), samples);
}

std::vector<cdouble> direct_adjoint_at(const Trajectory& trajectory, const VoxelGrid& grid,
                                       std::span<const Index> voxels, std::span<const cdouble> samples) {
    return direct_adjoint(trajectory, Positions::of(grid, voxels), samples);
}

}  // namespace recon
