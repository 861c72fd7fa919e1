#include "app/reconstruction/coils/coil_calibration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/base/error.hpp"
#include "core/mri/coils/cartesian_kspace.hpp"
#include "core/operators/kspace_batches.hpp"
#include "core/operators/off_resonance.hpp"
#include "core/operators/q_kernel.hpp"
#include "solver/conjugate_gradient.hpp"

namespace recon {
namespace {

/// Samples so far outside the region still determine its Cartesian points.
constexpr double margin = 2;  // cycles per FOV

/// So exact that all backends count the same singular vectors as signal: those are kept or not, nothing in between.
constexpr SumsOptions calibration_sums{SumsMethod::automatic, 1e-9, Precision::double_};
constexpr SumsOptions calibration_q = calibration_sums;

/// 1 / (samples in the same cell of k-space), the cells one cycle per FOV wide.
std::vector<double> cell_weights(const Trajectory& trajectory) {
    std::map<PerAxis<long>, Index> count;
    std::vector<PerAxis<long>> cells;
    for (Index m = 0; m < trajectory.sample_count(); ++m) {
        cells.push_back(
            {std::lround(trajectory.k[0][m]), std::lround(trajectory.k[1][m]), std::lround(trajectory.k[2][m])});
        ++count[cells.back()];
    }
    std::vector<double> weights;
    for (const PerAxis<long>& cell : cells) {
        weights.push_back(1 / static_cast<double>(count[cell]));
    }
    return weights;
}

/// The same Toeplitz product for every coil. Domain and codomain [x y z coil].
class NormalOfCoils final : public LinearOperator {
public:
    NormalOfCoils(Backend& backend, const Shape& images, std::unique_ptr<const ToeplitzPlan> plan, Precision precision)
        : LinearOperator("calibration", backend, images, images, precision), plan_(std::move(plan)) {}

private:
    void do_forward(ConstArrayView x, ArrayView y) const override {
        for (Index coil = 0; coil < domain().extent(3); ++coil) {
            plan_->apply(x.slice(coil), std::nullopt, y.slice(coil));
        }
    }
    void do_adjoint(ConstArrayView y, ArrayView x) const override { do_forward(y, x); }

    std::unique_ptr<const ToeplitzPlan> plan_;
};

constexpr int calibration_iterations = 10;

/// F^H F of samples with these weights, without or with off-resonance.
std::unique_ptr<ToeplitzPlan> calibration_toeplitz(Backend& backend, const CalibrationSamples& samples,
                                                   const std::optional<CalibrationOffResonance>& off_resonance,
                                                   std::span<const double> weights) {
    const PerAxis<Index> matrix = calibration_matrix(samples.region);
    const Shape image = VoxelGrid::image(matrix).shape;
    const auto plan_of = [&](std::span<const double> q_weights, std::optional<Array> modulation) {
        const Array q = compute_q(backend, samples.trajectory, matrix, q_weights, calibration_q);
        return backend.make_toeplitz(image, q, calibration_sums.precision, std::move(modulation));
    };
    if (!off_resonance) {
        return plan_of(weights, std::nullopt);
    }
    return segmented_toeplitz(backend, image, off_resonance->maps(), off_resonance->of_toeplitz(), weights, 0,
                              samples.trajectory.sample_count(), calibration_sums.precision, plan_of);
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

Index calibration_sample_count(const CalibrationRegion& region, const Trajectory& trajectory) {
    return static_cast<Index>(calibration_sample_indices(region, trajectory).size());
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

CalibrationKspace grid_calibration(Backend& backend, const CalibrationSamples& samples,
                                   const std::optional<CalibrationOffResonance>& off_resonance) {
    const PerAxis<Index> matrix = calibration_matrix(samples.region);
    const VoxelGrid grid = VoxelGrid::image(matrix);
    const Index sample_count = samples.trajectory.sample_count();
    const Index coil_count = samples.coil_count;
    const Precision precision = calibration_sums.precision;
    const std::vector<double> weights = cell_weights(samples.trajectory);
    float largest = 0;  // so that no square of the solver over- or underflows
    for (const cfloat value : samples.kspace) {
        largest = std::max(largest, std::abs(value));
    }
    const Shape images = grid.shape.with_axis("coil", coil_count);
    Array right_side(backend, images, precision);
    {
        std::shared_ptr<const FourierSums> sums = make_fourier_sums(
            backend, samples.trajectory, choose_sums(backend, calibration_sums, sample_count, grid, coil_count));
        if (off_resonance) {
            sums = std::make_shared<SegmentedSums>(backend, sums, off_resonance->maps(), off_resonance->of_sums());
        }
        const KspaceBatches weighted(backend, samples.kspace,
                                     Shape::samples(sample_count).with_axis("coil", coil_count), weights, precision,
                                     Residency::streamed);
        const Index at_once =
            Encoding::coils_at_once(grid.shape, sample_count, coil_count, precision, backend.memory().piece_bytes());
        for (Index first = 0; first < coil_count; first += at_once) {
            const Index count = std::min(at_once, coil_count - first);
            sums->adjoint(weighted.coils(first, count), right_side.view().slices(first, count));
        }
    }
    backend.scale(1 / static_cast<double>(largest), right_side);
    const NormalOfCoils normal(backend, images, calibration_toeplitz(backend, samples, off_resonance, weights),
                               precision);
    Array solution(backend, images, precision);
    backend.fill(0, solution);
    solve_cg(normal, right_side, solution, {.iterations = calibration_iterations, .stop = 0, .guard_vectors = 0});
    const std::vector<cdouble> images_on_host = download<double>(solution);
    CalibrationKspace calibration = cartesian_kspace(std::span<const cdouble>(images_on_host), matrix, samples.region);
    for (cdouble& value : calibration.values) {
        value *= largest;
    }
    return calibration;
}

std::size_t grid_calibration_bytes(const Backend& backend, const CalibrationRegion& region, Index sample_count,
                                   Index coil_count, const std::optional<CalibrationOffResonance>& off_resonance,
                                   std::size_t piece) {
    const PerAxis<Index> matrix = calibration_matrix(region);
    const VoxelGrid grid = VoxelGrid::image(matrix);
    const Index at_once =
        Encoding::coils_at_once(grid.shape, sample_count, coil_count, calibration_sums.precision, piece);
    const FourierSumsSizes sums(backend, choose_sums(backend, calibration_sums, sample_count, grid, coil_count),
                                sample_count);
    const FourierSumsSizes q_sums(backend, choose_q_sums(backend, sample_count, matrix, calibration_q), sample_count);
    PlanBytes plan = sums.bytes(at_once, piece);
    const std::size_t complex = complex_bytes(calibration_sums.precision);
    const std::size_t image = grid.shape.element_count() * complex;
    const std::size_t images = coil_count * image;
    const std::size_t q_bytes = VoxelGrid::differences(matrix).shape.element_count() * sizeof(cdouble);
    const Index plan_count = off_resonance ? off_resonance->of_toeplitz().count() : 1;
    const PlanBytes toeplitz = backend.plan_sizes().toeplitz(grid.shape, 1, calibration_sums.precision,
                                                             calibration_q.precision, piece, plan_count);
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
    const std::size_t q = compute_q_bytes(q_sums, sample_count, matrix, calibration_q.precision, piece) + upload;
    const std::size_t making = std::max(q, q_bytes + toeplitz.making);
    return images + std::max(gridding, toeplitz.held + modulations + std::max(making, 4 * images + toeplitz.running));
}

}  // namespace recon
