#pragma once

#include <random>

#include "core/fourier/direct_sums.hpp"
#include "gpu/ladder/product_steps.hpp"
#include "tests/support/random.hpp"

namespace recon::test {

/// Samples with |k| up to 8 cycles per field of view along each axis, with values, for a problem that has its voxels.
inline void add_samples(ladder::Problem& problem, Index count, unsigned seed) {
    std::mt19937 generator(seed);
    std::uniform_real_distribution<float> k(-8, 8), value(-1, 1);
    for (Index m = 0; m < count; ++m) {
        for (auto& component : problem.k) {
            component.push_back(k(generator));
        }
        problem.phi_squared.push_back(0.5F + 0.5F * value(generator));
        const float real = value(generator);
        problem.phi_conj_data.emplace_back(real, value(generator));
    }
}

/// Voxels anywhere within a field of view, on no grid.
inline ladder::Problem scattered_problem(Index voxel_count, Index sample_count, unsigned seed) {
    std::mt19937 generator(seed);
    std::uniform_real_distribution<float> r(-0.5F, 0.5F);
    ladder::Problem problem;
    for (auto& component : problem.r) {
        for (Index n = 0; n < voxel_count; ++n) {
            component.push_back(r(generator));
        }
    }
    add_samples(problem, sample_count, seed + 1);
    return problem;
}

inline ladder::Problem grid_problem(PerAxis<Index> matrix_size, Index sample_count, unsigned seed) {
    ladder::Problem problem = ladder::Problem::on_grid(VoxelGrid::image(matrix_size));
    add_samples(problem, sample_count, seed);
    return problem;
}

/// |values - sums in double|, relative to the sums in double or to sqrt(voxels sum |value|^2), the size of a sum of
/// independent phases, whichever is larger: a single voxel's sum may cancel by chance.
inline double error_of(const std::vector<cfloat>& values, const ladder::Problem& problem, ladder::Sum sum) {
    const std::vector<cfloat> weights = ladder::sample_values(problem, sum);
    const std::vector<cdouble> exact = direct_adjoint(ladder::trajectory_of(problem), ladder::positions_of(problem),
                                                      std::vector<cdouble>(weights.begin(), weights.end()));
    double difference = 0, size = 0, independent = 0;
    for (std::size_t n = 0; n < exact.size(); ++n) {
        difference += std::norm(cdouble(values[n]) - exact[n]);
        size += std::norm(exact[n]);
    }
    for (const cfloat& weight : weights) {
        independent += std::norm(cdouble(weight)) * static_cast<double>(exact.size());
    }
    return std::sqrt(difference / std::max(size, independent));
}

}  // namespace recon::test
