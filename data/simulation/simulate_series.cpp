#include "data/simulation/simulate_series.hpp"

#include <limits>
#include <memory>
#include <utility>

#include "core/base/error.hpp"
#include "data/simulation/phantom_object.hpp"
#include "data/simulation/scan_assembly.hpp"
#include "data/simulation/trajectories/trajectory_kind.hpp"

namespace recon {
namespace {

/// The samples of a frame, one after the other in the whole trajectory.
Trajectory part_of(const Trajectory& whole, Index first, Index count) {
    Trajectory part;
    for (int axis = 0; axis < 3; ++axis) {
        part.k[axis].assign(whole.k[axis].begin() + first, whole.k[axis].begin() + first + count);
    }
    return part;
}

/// (1 - share) a + share b
template <class T>
std::vector<T> mixture(const std::vector<T>& a, const std::vector<T>& b, double share) {
    using Real = typename T::value_type;
    std::vector<T> sum(a.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
        sum[i] = static_cast<Real>(1 - share) * a[i] + static_cast<Real>(share) * b[i];
    }
    return sum;
}

}  // namespace

Simulation simulate_series(const SimulationOptions& options) {
    const PhantomKind& kind = phantom_kinds().get(options.phantom);
    if (kind.last_contrast.empty()) {
        throw UsageError(
            "`frames`: the contrast of a series goes from `phantom` brain to sodium; expected one of these");
    }
    const bool own_readouts = trajectory_kind(options.trajectory, options.request.matrix_size).goes_on;
    SimulationOptions whole = options;
    whole.frame_count = 1;
    whole.phantom = kind.first_contrast;
    whole.edge_voxels =
        options.edge_voxels.value_or(phantom_kinds().get(whole.phantom).edge_voxels);  // of both contrasts
    if (own_readouts) {
        const DesignedTrajectory one = design_trajectory(options.trajectory, options.request);
        whole.request.readouts = options.frame_count * one.readout_count;
    }
    whole.snr = std::numeric_limits<double>::infinity();
    whole.noise_sample_count = 0;
    Simulation result = simulate_scan(whole);  // of one contrast, with the readouts of all frames
    whole.phantom = kind.last_contrast;
    const Simulation other = simulate_scan(whole);

    const Frame all = std::move(result.scan.frames.front());
    const std::vector<cfloat>& other_kspace = other.scan.frames.front().kspace;
    const Index frame_samples = all.sample_count() / (own_readouts ? options.frame_count : 1);
    const std::vector<cfloat> brain = std::move(result.truth);
    result.noise_standard_deviation = noise_standard_deviation(brain, options.snr);
    result.design.readout_count /= own_readouts ? options.frame_count : 1;
    result.scan.frames.clear();
    result.truth.clear();
    for (Index t = 0; t < options.frame_count; ++t) {
        const double share = static_cast<double>(t) / static_cast<double>(options.frame_count - 1);
        const Index begin = own_readouts ? t * frame_samples : 0;
        Frame frame;
        frame.label.repetition = t;
        frame.trajectory = own_readouts
                               ? std::make_shared<const Trajectory>(part_of(*all.trajectory, begin, frame_samples))
                               : all.trajectory;
        frame.sample_times_s =
            std::vector<float>(all.sample_times_s.begin() + begin, all.sample_times_s.begin() + begin + frame_samples);
        const std::vector<cfloat> mixed = mixture(all.kspace, other_kspace, share);
        for (Index coil = 0; coil < options.coil_count; ++coil) {
            const auto of_coil = mixed.begin() + coil * all.sample_count() + begin;
            frame.kspace.insert(frame.kspace.end(), of_coil, of_coil + frame_samples);
        }
        result.scan.frames.push_back(std::move(frame));
        const std::vector<cfloat> truth = mixture(brain, other.truth, share);
        result.truth.insert(result.truth.end(), truth.begin(), truth.end());
    }
    add_noise_of_frames(options, result);
    return result;
}

}  // namespace recon
