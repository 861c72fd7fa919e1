#include "core/mri/off_resonance/linear_field.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <complex>
#include <map>
#include <memory>
#include <utility>

#include "core/fourier/voxel_grid.hpp"

namespace recon {
namespace {

/// 1, x, y, z in fields of view
Eigen::Vector4d basis_at(const VoxelGrid& grid, Index voxel) {
    const Index nx = grid.shape.extent(0), ny = grid.shape.extent(1);
    return {1, grid.position(0, voxel % nx), grid.position(1, voxel / nx % ny), grid.position(2, voxel / (nx * ny))};
}

Trajectory moved(const Trajectory& trajectory, const LinearField& field, const std::vector<float>& times_s) {
    Trajectory result = trajectory;
    for (int axis = 0; axis < 3; ++axis) {
        for (Index m = 0; m < result.sample_count(); ++m) {
            result.k[axis][m] += field.slope_hz[axis] * double{times_s[m]};
        }
    }
    return result;
}

void turn(std::vector<cfloat>& kspace, double centre_hz, const std::vector<float>& times_s) {
    const auto sample_count = static_cast<Index>(times_s.size());
    const Index coil_count = static_cast<Index>(kspace.size()) / sample_count;
#pragma omp parallel for schedule(static)
    for (Index m = 0; m < sample_count; ++m) {
        const cdouble phase = std::polar(1.0, 2 * pi * std::remainder(centre_hz * double{times_s[m]}, 1.0));
        for (Index coil = 0; coil < coil_count; ++coil) {
            cfloat& value = kspace[coil * sample_count + m];
            value = cfloat(phase * cdouble(value));
        }
    }
}

/// Each pair of trajectory and times is moved once.
class MovedTrajectories {
public:
    explicit MovedTrajectories(const LinearField& field) : field_(field) {}

    std::shared_ptr<const Trajectory> of(const Frame& frame) {
        auto& known = moved_[{frame.trajectory, frame.sample_times_s.data()}];
        if (!known) {
            known = distinct_.shared(
                std::make_shared<const Trajectory>(moved(*frame.trajectory, field_, frame.sample_times_s)));
        }
        return known;
    }

private:
    const LinearField& field_;
    /// The trajectories that were are held, so that no other takes their place in memory.
    std::map<std::pair<std::shared_ptr<const Trajectory>, const float*>, std::shared_ptr<const Trajectory>> moved_;
    DistinctTrajectories distinct_;
};

}  // namespace

LinearField fit_linear_field(std::span<const float> map_hz, const PerAxis<Index>& matrix_size) {
    const VoxelGrid grid = VoxelGrid::image(matrix_size);
    Eigen::Matrix4d normal = Eigen::Matrix4d::Zero();
    Eigen::Vector4d right = Eigen::Vector4d::Zero();
    for (Index n = 0; n < static_cast<Index>(map_hz.size()); ++n) {
        if (map_hz[n] != 0) {
            const Eigen::Vector4d basis = basis_at(grid, n);
            normal += basis * basis.transpose();
            right += double{map_hz[n]} * basis;
        }
    }
    Eigen::CompleteOrthogonalDecomposition<Eigen::Matrix4d> solver;
    solver.setThreshold(1e-9);
    const Eigen::Vector4d plane = solver.compute(normal).solve(right);
    return {plane(0), {plane(1), plane(2), plane(3)}};
}

std::vector<float> without(const LinearField& field, std::span<const float> map_hz, const PerAxis<Index>& matrix_size) {
    const VoxelGrid grid = VoxelGrid::image(matrix_size);
    const Eigen::Vector4d plane(field.centre_hz, field.slope_hz[0], field.slope_hz[1], field.slope_hz[2]);
    std::vector<float> rest(map_hz.size());
    for (Index n = 0; n < static_cast<Index>(rest.size()); ++n) {
        rest[n] = static_cast<float>(double{map_hz[n]} - basis_at(grid, n).dot(plane));
    }
    return rest;
}

void move_to_trajectory(const LinearField& field, std::span<float> map_hz, std::optional<Index> slice, Scan& scan) {
    std::ranges::copy(without(field, map_hz, scan.geometry.matrix_size), map_hz.begin());
    MovedTrajectories trajectories(field);
    for (std::vector<Frame>* const frames : {&scan.frames, &scan.calibration}) {
        for (Frame& frame : *frames) {
            if (!frame.sample_times_s.empty() && (!slice || frame.label.slice == *slice)) {
                frame.trajectory = trajectories.of(frame);
                transform_kspace(frame, [times_s = frame.sample_times_s, centre_hz = field.centre_hz](
                                            std::vector<cfloat>& kspace) { turn(kspace, centre_hz, times_s); });
            }
        }
    }
}

}  // namespace recon
