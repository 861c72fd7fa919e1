#include "data/simulation/simulate_scan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/backend/cpu/cpu_backend.hpp"
#include "core/base/error.hpp"
#include "core/fourier/voxel_grid.hpp"
#include "data/simulation/birdcage_maps.hpp"
#include "data/simulation/phantom_object.hpp"
#include "data/simulation/scan_assembly.hpp"
#include "data/simulation/simulate_heart.hpp"
#include "data/simulation/simulate_series.hpp"
#include "data/simulation/simulate_slices.hpp"

namespace recon {
namespace {

/// Values of a model at the voxels of the image, at its section where an axis is absent.
std::vector<float> values_of(double (*model)(const PerAxis<double>&), double size, const PhantomObject& object,
                             PerAxis<Index> matrix_size) {
    const VoxelGrid grid = VoxelGrid::image(matrix_size);
    std::vector<float> values(grid.shape.element_count());
    for (Index n = 0; n < static_cast<Index>(values.size()); ++n) {
        const PerAxis<Index> index{n % matrix_size[0], n / matrix_size[0] % matrix_size[1],
                                   n / (matrix_size[0] * matrix_size[1])};
        PerAxis<double> position{};
        for (int axis = 0; axis < 3; ++axis) {
            position[axis] = object.present[axis] ? grid.position(axis, index[axis]) : object.section[axis];
        }
        values[n] = static_cast<float>(size * model(position));
    }
    return values;
}

std::vector<cdouble> kspace_with_off_resonance(const SimulationOptions& options, const PhantomObject& object,
                                               const TrigonometricMaps& maps, const DesignedTrajectory& design) {
    const bool is_volume = object.present[0] && object.present[1] && object.present[2];
    PerAxis<Index> fine = options.request.matrix_size;
    for (int axis = 0; axis < 3; ++axis) {
        fine[axis] *= object.present[axis] ? (is_volume ? 2 : 3) : 1;
    }
    const std::vector<cfloat> values = voxel_values(object, fine);
    const std::vector<cfloat> coils = evaluate_maps(maps, fine, object.section);
    std::vector<cdouble> images(values.size() * options.coil_count);
    const double scale = static_cast<double>(Shape::image(options.request.matrix_size).element_count()) /
                         static_cast<double>(values.size());
    for (std::size_t i = 0; i < images.size(); ++i) {
        images[i] = scale * cdouble(values[i % values.size()]) * cdouble(coils[i]);
    }
    const auto backend = make_cpu_backend(0);
    return signal_with_off_resonance(*backend, images, fine, options.coil_count,
                                     values_of(head_off_resonance, options.off_resonance.largest_hz, object, fine),
                                     values_of(head_r2star, options.off_resonance.r2star_per_s, object, fine),
                                     design.trajectory, design.sample_times_s);
}

/// The maps that the scan would come with.
void add_maps(const SimulationOptions& options, const PhantomObject& object, Simulation& simulation) {
    const PerAxis<Index>& matrix_size = options.request.matrix_size;
    std::vector<float> field = values_of(head_off_resonance, options.off_resonance.largest_hz, object, matrix_size);
    std::vector<float> decay = values_of(head_r2star, options.off_resonance.r2star_per_s, object, matrix_size);
    float brightest = 0;
    for (const cfloat& value : simulation.truth) {
        brightest = std::max(brightest, std::abs(value));
    }
    constexpr float object_threshold = 0.1F;
    for (std::size_t n = 0; n < field.size(); ++n) {
        if (options.field_map_part == SimulationOptions::FieldMapPart::object &&
            std::abs(simulation.truth[n]) < object_threshold * brightest) {
            field[n] = 0;
            decay[n] = 0;
        }
    }
    simulation.scan.off_resonance_hz = std::move(field);
    if (options.off_resonance.r2star_per_s > 0) {
        simulation.scan.relaxation_rate_per_s = std::move(decay);
    }
}

void require_valid_off_resonance(const SimulatedOffResonance& off_resonance) {
    constexpr double most_hz = 1e5, most_per_s = 1e5;
    if (!(std::abs(off_resonance.largest_hz) <= most_hz)) {
        throw UsageError(
            fmt::format("`off_resonance`: {} Hz, expected at most {:g}", off_resonance.largest_hz, most_hz));
    }
    if (!(off_resonance.r2star_per_s >= 0 && off_resonance.r2star_per_s <= most_per_s)) {
        throw UsageError(fmt::format("`r2star`: {} 1/s, expected 0 to {:g}", off_resonance.r2star_per_s, most_per_s));
    }
}

}  // namespace

Simulation simulate_scan(const SimulationOptions& options) {
    require_valid(options);
    require_valid_off_resonance(options.off_resonance);
    if (options.slice_count > 1) {
        return simulate_slices(options);
    }
    if (options.phantom == "heart") {
        return simulate_heart(options);
    }
    if (options.frame_count > 1) {
        return simulate_series(options);
    }
    const PerAxis<Index> matrix_size = options.request.matrix_size;
    DesignedTrajectory design = design_trajectory(options.trajectory, options.request);
    const PhantomObject object = phantom_object(options.phantom, options, matrix_size);
    std::vector<cfloat> truth = voxel_values(object, matrix_size);
    const TrigonometricMaps maps = fit_birdcage_maps(options.coil_count, object.present, object.section);
    std::vector<cdouble> exact;
    if (options.off_resonance.asked_for()) {
        exact = kspace_with_off_resonance(options, object, maps, design);
    } else {
        exact = object.phantom->transform(maps, design.trajectory);
        for (cdouble& value : exact) {
            value *= static_cast<double>(truth.size());
        }
    }
    Simulation simulation =
        assemble_simulation(options, std::move(design), std::move(truth), {exact.begin(), exact.end()},
                            evaluate_maps(maps, matrix_size, object.section));
    if (options.off_resonance.asked_for()) {
        add_maps(options, object, simulation);
    }
    return simulation;
}

}  // namespace recon
