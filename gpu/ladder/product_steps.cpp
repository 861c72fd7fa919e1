#include "gpu/ladder/product_steps.hpp"

#include "core/backend/backend.hpp"

namespace recon::ladder {

Trajectory trajectory_of(const Problem& problem) {
    Trajectory trajectory;
    for (int axis = 0; axis < 3; ++axis) {
        trajectory.k[axis].assign(problem.k[axis].begin(), problem.k[axis].end());
    }
    return trajectory;
}

Positions positions_of(const Problem& problem) {
    Positions positions;
    for (int axis = 0; axis < 3; ++axis) {
        positions.r[axis].assign(problem.r[axis].begin(), problem.r[axis].end());
    }
    return positions;
}

Problem problem_of(const Trajectory& trajectory, const std::vector<cfloat>& kspace, const VoxelGrid& grid) {
    Problem problem = Problem::on_grid(grid);
    for (int axis = 0; axis < 3; ++axis) {
        problem.k[axis].assign(trajectory.k[axis].begin(), trajectory.k[axis].end());
    }
    problem.phi_squared.assign(kspace.size(), 1);
    problem.phi_conj_data = kspace;
    return problem;
}

std::vector<cfloat> sample_values(const Problem& problem, Sum sum) {
    return sum == Sum::fhd ? problem.phi_conj_data
                           : std::vector<cfloat>(problem.phi_squared.begin(), problem.phi_squared.end());
}

Array samples_on(Backend& backend, const Problem& problem, Sum sum, Precision precision) {
    Array samples(backend, Shape::samples(problem.sample_count()), precision);
    upload(sample_values(problem, sum), samples);
    return samples;
}

}  // namespace recon::ladder
