#include "core/fourier/direct_sums.hpp"

#include <string>

#include "core/base/error.hpp"
#include "core/fourier/phase_factors.hpp"

namespace recon {
namespace {

/// Vectors of three components and the complex numbers that belong to them, in separate arrays for vector loads.
struct Sources {
    const PerAxis<std::vector<double>>& at;
    std::vector<double> real;
    std::vector<double> imaginary;

    Sources(const PerAxis<std::vector<double>>& positions, std::span<const cdouble> values) : at(positions) {
        real.reserve(values.size());
        imaginary.reserve(values.size());
        for (const cdouble& value : values) {
            real.push_back(value.real());
            imaginary.push_back(value.imag());
        }
    }
};

/// k r less its nearest integer, rounded once: the product itself is never rounded.
double turns(double k, double r) { return std::fma(k, r, -std::rint(k * r)); }

/// sum_j value_j exp(+-i 2 pi p_j.q)
template <int sign>
cdouble sum(const Sources& sources, const PerAxis<double>& q) {
    const auto count = static_cast<Index>(sources.real.size());
    const double* px = sources.at[0].data();
    const double* py = sources.at[1].data();
    const double* pz = sources.at[2].data();
    const double* re = sources.real.data();
    const double* im = sources.imaginary.data();
    double sum_real = 0;
    double sum_imaginary = 0;
#pragma omp simd reduction(+ : sum_real, sum_imaginary)
    for (Index j = 0; j < count; ++j) {
        const double phase = turns(px[j], q[0]) + turns(py[j], q[1]) + turns(pz[j], q[2]);
        const auto [cosine, sine] = phase_factor<double>(sign * phase);
        sum_real += re[j] * cosine - im[j] * sine;
        sum_imaginary += re[j] * sine + im[j] * cosine;
    }
    return {sum_real, sum_imaginary};
}

template <int sign>
std::vector<cdouble> sums(const Sources& sources, const PerAxis<std::vector<double>>& targets) {
    const auto count = static_cast<Index>(targets[0].size());
    std::vector<cdouble> result(count);
#pragma omp parallel for schedule(dynamic, 16)
    for (Index i = 0; i < count; ++i) {
        result[i] = sum<sign>(sources, {targets[0][i], targets[1][i], targets[2][i]});
    }
    return result;
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
    return sums<-1>(Sources(positions.r, values), trajectory.k);
}

std::vector<cdouble> direct_adjoint(const Trajectory& trajectory, const Positions& positions,
                                    std::span<const cdouble> samples) {
    require_equal_lengths("direct sums: trajectory", trajectory.k);
    require_equal_lengths("direct sums: positions", positions.r);
    require_size("k-space", samples.size(), trajectory.sample_count());
    return sums<+1>(Sources(trajectory.k, samples), positions.r);
}

std::vector<cdouble> direct_forward(const Trajectory& trajectory, const VoxelGrid& grid,
                                    std::span<const cdouble> image) {
    return direct_forward(trajectory, Positions::of(grid), image);
}

std::vector<cdouble> direct_adjoint(const Trajectory& trajectory, const VoxelGrid& grid,
                                    std::span<const cdouble> samples) {
    return direct_adjoint(trajectory, Positions::of(grid), samples);
}

std::vector<cdouble> direct_forward_of(const Trajectory& trajectory, const VoxelGrid& grid,
                                       std::span<const Index> voxels, std::span<const cdouble> values) {
    return direct_forward(trajectory, Positions::of(grid, voxels), values);
}

std::vector<cdouble> direct_adjoint_at(const Trajectory& trajectory, const VoxelGrid& grid,
                                       std::span<const Index> voxels, std::span<const cdouble> samples) {
    return direct_adjoint(trajectory, Positions::of(grid, voxels), samples);
}

std::vector<cdouble> direct_q_at(const Trajectory& trajectory, PerAxis<Index> matrix_size,
                                 std::span<const Index> differences, std::span<const double> sample_weights) {
    std::vector<cdouble> weights(trajectory.sample_count(), 1.0);
    if (!sample_weights.empty()) {
        weights.assign(sample_weights.begin(), sample_weights.end());
    }
    return direct_adjoint_at(trajectory, VoxelGrid::differences(matrix_size), differences, weights);
}

}  // namespace recon
