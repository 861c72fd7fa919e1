#include "data/simulation/simulate_heart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "core/base/error.hpp"
#include "data/simulation/birdcage_maps.hpp"
#include "data/simulation/heart/heart_phantom.hpp"
#include "data/simulation/noise.hpp"
#include "data/simulation/trajectories/trajectory_kind.hpp"

namespace recon {
namespace {

constexpr std::uint64_t first_noise_of_heart = 16;  ///< below are those of single scans
constexpr double repetition_time_s = 0.004;         ///< at least, from readout to readout
constexpr double time_beside_readout_s = 0.002;     ///< for excitation and spoiling

/// When which readout is measured.
struct Schedule {
    Index beats;
    Index readouts_a_phase;  ///< in one beat
    double repetition_time_s;
    Index readouts_a_frame() const { return beats * readouts_a_phase; }
    /// @param place  of the readout within its frame
    Index number(Index frame, Index frame_count, Index place) const {
        const Index beat = place / readouts_a_phase;
        return (beat * frame_count + frame) * readouts_a_phase + place % readouts_a_phase;
    }
    double time_s(Index number) const { return (static_cast<double>(number) + 0.5) * repetition_time_s; }
};

Schedule schedule_of(const DesignedTrajectory& design, double beat_s, Index frame_count) {
    const double readout_s = design.dwell_time_s * static_cast<double>(design.samples_per_readout);
    const double least = std::max(repetition_time_s, readout_s + time_beside_readout_s);
    constexpr double rounding = 1e-9;
    Schedule schedule;
    schedule.readouts_a_phase =
        std::max<Index>(1, static_cast<Index>(beat_s / static_cast<double>(frame_count) / least + rounding));
    schedule.repetition_time_s = beat_s / static_cast<double>(frame_count * schedule.readouts_a_phase);
    if (schedule.repetition_time_s < readout_s) {
        throw UsageError(fmt::format("`frames`: {} phases of a beat of {:.3g} s are shorter than a readout of {:.3g} s",
                                     frame_count, beat_s, readout_s));
    }
    schedule.beats = (design.readout_count + schedule.readouts_a_phase - 1) / schedule.readouts_a_phase;
    return schedule;
}

}  // namespace

Simulation simulate_heart(const SimulationOptions& options) {
    if (options.off_resonance.asked_for()) {
        throw UsageError("`off_resonance`: `phantom` heart has none");
    }
    const PerAxis<Index> matrix_size = options.request.matrix_size;
    PhantomSite site;
    for (int axis = 0; axis < 3; ++axis) {
        site.present[axis] = matrix_size[axis] > 1;
        site.voxel[axis] = 1 / static_cast<double>(matrix_size[axis]);
        site.edge_sigma[axis] = options.edge_voxels.value_or(0) * site.voxel[axis];
    }
    const HeartPhantom heart(site, options.heart);
    const Index frame_count = options.frame_count;
    DesignedTrajectory design = design_trajectory(options.trajectory, options.request);
    const Schedule schedule = schedule_of(design, heart.beat().duration_s(), frame_count);
    const Index samples = design.samples_per_readout;
    const bool own_readouts = trajectory_kind(options.trajectory, matrix_size).goes_on;
    if (own_readouts) {  // those of all frames
        TrajectoryRequest request = options.request;
        request.readouts = frame_count * schedule.readouts_a_frame();
        design = design_trajectory(options.trajectory, request);
    }
    const TrigonometricMaps maps = fit_birdcage_maps(options.coil_count, site.present, {});

    Simulation result;
    Scan& scan = result.scan;
    scan.format = "simulation";
    scan.geometry.matrix_size = matrix_size;
    scan.geometry.field_of_view_mm = options.request.field_of_view_mm;
    scan.geometry.orientation = Orientation{};
    scan.coil_count = options.coil_count;
    scan.samples_per_readout = samples;
    if (options.store_coil_maps && options.coil_count > 1) {
        scan.coil_maps = evaluate_maps(maps, matrix_size, {});
    }
    const VoxelGrid grid = VoxelGrid::image(matrix_size);
    const auto voxel_count = static_cast<double>(grid.shape.element_count());
    for (Index frame_number = 0; frame_number < frame_count; ++frame_number) {
        Trajectory trajectory;
        std::vector<double> times_s;
        std::vector<float> since_excitation_s;
        Frame frame;
        frame.label.phase = frame_number;
        for (Index place = 0; place < schedule.readouts_a_frame(); ++place) {
            const Index number = schedule.number(frame_number, frame_count, place);
            const Index readout = (own_readouts ? number : place) % design.readout_count;
            times_s.push_back(schedule.time_s(number));
            for (int axis = 0; axis < 3; ++axis) {
                const auto begin = design.trajectory.k[axis].begin() + readout * samples;
                trajectory.k[axis].insert(trajectory.k[axis].end(), begin, begin + samples);
            }
            const auto begin = design.sample_times_s.begin() + readout * samples;
            since_excitation_s.insert(since_excitation_s.end(), begin, begin + samples);
        }
        frame.sample_times_s = std::move(since_excitation_s);
        for (const cdouble value : heart.transform(maps, trajectory, times_s)) {
            frame.kspace.emplace_back(value * voxel_count);
        }
        const double middle_s =
            (static_cast<double>(frame_number) + 0.5) / static_cast<double>(frame_count) * heart.beat().duration_s();
        const std::vector<cfloat> truth = heart.values(grid, middle_s);
        if (frame_number == 0) {
            result.noise_standard_deviation = noise_standard_deviation(truth, options.snr);
        }
        add_noise(frame.kspace, result.noise_standard_deviation, options.seed, first_noise_of_heart + frame_number);
        result.truth.insert(result.truth.end(), truth.begin(), truth.end());
        result.cavity_areas.push_back(heart.cavity_area(middle_s));
        frame.trajectory = std::make_shared<const Trajectory>(std::move(trajectory));
        scan.frames.push_back(std::move(frame));
    }
    if (result.noise_standard_deviation > 0) {
        scan.noise.assign(options.noise_sample_count * options.coil_count, 0);
        add_noise(scan.noise, result.noise_standard_deviation, options.seed, 1);
    }
    design.readout_count = schedule.readouts_a_frame();
    design.trajectory = {};
    result.design = std::move(design);
    return result;
}

}  // namespace recon
