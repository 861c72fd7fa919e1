#include "gpu/ladder/ladder_step.hpp"

#include <fmt/format.h>

#include "core/fourier/positions.hpp"

namespace recon::ladder {

Problem Problem::first_voxels(Index count) const {
    Problem part = *this;
    for (std::vector<float>& component : part.r) {
        component.resize(count);
    }
    if (count != voxel_count()) {
        part.grid.reset();
    }
    return part;
}

Problem Problem::first_samples(Index count) const {
    Problem part = *this;
    for (std::vector<float>& component : part.k) {
        component.resize(count);
    }
    part.phi_squared.resize(count);
    if (!phi_conj_data.empty()) {
        part.phi_conj_data.resize(count);
    }
    return part;
}

Problem Problem::on_grid(const VoxelGrid& grid) {
    const Positions positions = Positions::of(grid);
    Problem problem;
    for (int axis = 0; axis < 3; ++axis) {
        problem.r[axis].assign(positions.r[axis].begin(), positions.r[axis].end());
    }
    problem.grid = grid;
    return problem;
}

std::string Step::obstacle(const Devices& devices, const Problem& problem) const {
    if (place != Place::cpu && devices.gpus.empty()) {
        return devices.no_gpu;
    }
    if (needs_grid && !problem.grid) {
        return "needs voxels on a regular grid";
    }
    return {};
}

std::string text(const Tuning& tuning) {
    return fmt::format("{} threads, {} samples a launch, unrolled by {}", tuning.threads, tuning.samples_per_launch,
                       tuning.unroll);
}

std::vector<Step> all_steps() {
    std::vector<Step> steps = cpu_steps();
    for (Step& step : gpu_steps()) {
        steps.push_back(std::move(step));
    }
    return steps;
}

}  // namespace recon::ladder
