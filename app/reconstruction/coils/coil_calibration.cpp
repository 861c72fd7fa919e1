#include "app/reconstruction/coils/coil_calibration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/reconstruction/coils/calibration_gaps.hpp"
#include "core/base/error.hpp"
#include "core/operators/encoding.hpp"
#include "core/operators/q_kernel.hpp"

namespace recon {
namespace {

/// Samples so far outside the region still determine its Cartesian points.
constexpr double margin = 2;  // cycles per FOV

/// What a CalibrationProblem occupies, and most while it is made and used.
struct ProblemBytes {
    std::size_t held = 0, peak = 0;
};

ProblemBytes problem_bytes(const Backend& backend, const CalibrationRegion& region, Index sample_count,
                           Index coil_count, const std::optional<CalibrationOffResonance>& off_resonance,
                           const SumsOptions& options, std::size_t piece) {
    const PerAxis<Index> matrix = calibration_matrix(region);
    const VoxelGrid grid = VoxelGrid::image(matrix);
    const Index at_once = Encoding::coils_at_once(grid.shape, sample_count, coil_count, options.precision, piece);
    const FourierSumsSizes sums(backend, choose_sums(backend, options, sample_count, grid, coil_count), sample_count);
    const FourierSumsSizes q_sums(backend, choose_q_sums(backend, sample_count, matrix, options), sample_count);
    PlanBytes plan = sums.bytes(at_once, piece);
    const std::size_t complex = complex_bytes(options.precision);
    const std::size_t image = grid.shape.element_count() * complex;
    const std::size_t images = coil_count * image;
    const std::size_t q_bytes = VoxelGrid::differences(matrix).shape.element_count() * sizeof(cdouble);
    const Index plan_count = off_resonance ? off_resonance->of_toeplitz().count() : 1;
    const PlanBytes toeplitz =
        backend.plan_sizes().toeplitz(grid.shape, coil_count, options.precision, options.precision, piece, plan_count);
    const std::size_t modulations = off_resonance ? plan_count * image : 0;
    const std::size_t batch = at_once * sample_count * complex;
    if (off_resonance) {
        plan.held += off_resonance->of_sums().count() * (image + sample_count * complex);
        plan.running += at_once * image + batch;
    }
    const std::size_t upload = std::max(backend.plan_sizes().conversion(sample_count * sizeof(cdouble), piece),
                                        backend.plan_sizes().conversion(batch, piece));
    const std::size_t gridding =
        plan.held + std::max(plan.making, sample_count * complex + batch + std::max(upload, plan.running));
    const std::size_t q = compute_q_bytes(q_sums, sample_count, matrix, options.precision, piece) + upload;
    const std::size_t making = std::max(q, q_bytes + toeplitz.making);
    const std::size_t solving = std::max(4 * images, 2 * images + 8 * image);  // of each coil; filling gaps
    const std::size_t turning = images + maps_of_a_turn_bytes(backend, region, coil_count);
    const std::size_t held = images + toeplitz.held + modulations;
    return {held, std::max(images + gridding, held + std::max({making, solving + toeplitz.running, turning}))};
}

}  // namespace

PerAxis<Index> calibration_matrix(const CalibrationRegion& region) {
    // Its band holds the region, the margin, and as much again beyond, so that what a sample at the edge says need not
    // wrap.
    PerAxis<Index> size{1, 1, 1};
    for (int axis = 0; axis < 3; ++axis) {
        if (region.radius[axis] > 0) {
            size[axis] = 2 * static_cast<Index>(std::ceil(region.radius[axis] + 2 * margin));
        }
    }
    return size;
}

std::vector<Index> calibration_sample_indices(const CalibrationRegion& region, const Trajectory& trajectory) {
    return samples_within(region, trajectory, margin);
}

CalibrationSamples calibration_samples(const CalibrationRegion& region, const Trajectory& trajectory,
                                       const AllCoils& kspace) {
    const std::vector<Index> inside = calibration_sample_indices(region, trajectory);
    CalibrationSamples samples{region, {}, {}, kspace.coil_count()};
    for (const Index m : inside) {
        for (int axis = 0; axis < 3; ++axis) {  // along an axis with one voxel k has no effect
            samples.trajectory.k[axis].push_back(region.radius[axis] > 0 ? trajectory.k[axis][m] : 0);
        }
    }
    samples.kspace = kspace.at(inside);
    if (std::all_of(samples.kspace.begin(), samples.kspace.end(), [](cfloat v) { return v == cfloat(0); })) {
        throw InputError(
            fmt::format("coil maps: {} samples within {:.3g} cycles per FOV of the centre of k-space, and "
                        "none holds signal; give `coil_maps` FILE or a larger `calibration_radius`",
                        inside.size(), *std::max_element(region.radius.begin(), region.radius.end())));
    }
    return samples;
}

CalibrationImages grid_calibration(Backend& backend, const CalibrationSamples& samples,
                                   const std::optional<CalibrationOffResonance>& off_resonance) {
    const CalibrationProblem problem(backend, samples, off_resonance, calibration_sums);
    if (has_gaps_to_fill(problem, samples)) {
        const CalibrationProblem rough(backend, samples, off_resonance, rough_calibration_sums);
        if (const std::optional<Array> filled = filled_images(rough)) {
            return rough.on_host(*filled);
        }
    }
    return problem.on_host(problem.coil_images());
}

std::size_t grid_calibration_bytes(const Backend& backend, const CalibrationRegion& region, Index sample_count,
                                   Index coil_count, const std::optional<CalibrationOffResonance>& off_resonance,
                                   std::size_t piece) {
    const auto of = [&](const SumsOptions& options) {
        return problem_bytes(backend, region, sample_count, coil_count, off_resonance, options, piece);
    };
    const ProblemBytes exact = of(calibration_sums);  // held while gaps are filled
    return std::max(exact.peak, exact.held + of(rough_calibration_sums).peak);
}

}  // namespace recon
