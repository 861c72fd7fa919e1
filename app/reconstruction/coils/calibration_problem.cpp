#include "app/reconstruction/coils/calibration_problem.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "core/mri/coils/cartesian_kspace.hpp"
#include "core/operators/encoding.hpp"
#include "core/operators/kspace_batches.hpp"
#include "core/operators/q_kernel.hpp"
#include "core/operators/toeplitz_of_samples.hpp"
#include "solver/conjugate_gradient.hpp"

namespace recon {
namespace {

constexpr int calibration_iterations = 10;

/// 1 / (samples in the same cell of k-space), the cells one cycle per FOV wide.
std::vector<double> cell_weights(const Trajectory& trajectory) {
    PerAxis<Index> first{};
    PerAxis<Index> size{};
    for (int axis = 0; axis < 3; ++axis) {
        const auto [least, most] = std::ranges::minmax(trajectory.k[axis]);
        first[axis] = std::lround(least);
        size[axis] = std::lround(most) - first[axis] + 1;
    }
    std::vector<Index> cells(trajectory.sample_count());
#pragma omp parallel for schedule(static)
    for (Index m = 0; m < trajectory.sample_count(); ++m) {
        Index cell = 0;
        for (int axis = 2; axis >= 0; --axis) {
            cell = cell * size[axis] + std::lround(trajectory.k[axis][m]) - first[axis];
        }
        cells[m] = cell;
    }
    std::vector<Index> count(size[0] * size[1] * size[2], 0);
    for (const Index cell : cells) {
        ++count[cell];
    }
    std::vector<double> weights(cells.size());
    std::ranges::transform(cells, weights.begin(), [&](Index cell) { return 1 / static_cast<double>(count[cell]); });
    return weights;
}

/// The largest magnitude.
float largest_of(std::span<const cfloat> values) {
    const auto count = static_cast<Index>(values.size());
    double square = 0;
#pragma omp parallel for schedule(static) reduction(max : square)
    for (Index i = 0; i < count; ++i) {
        square = std::max(square, std::norm(cdouble(values[i])));
    }
    return static_cast<float>(std::sqrt(square));
}

/// The same Toeplitz product for every coil. Domain and codomain [x y z coil].
class NormalOfCoils final : public LinearOperator {
public:
    NormalOfCoils(Backend& backend, const Shape& images, const ToeplitzPlan& plan)
        : LinearOperator("calibration", backend, images, images, plan.precision()), plan_(plan) {}

private:
    void do_forward(ConstArrayView x, ArrayView y) const override {
        for (Index coil = 0; coil < domain().extent(3); ++coil) {
            plan_.apply(x.slice(coil), std::nullopt, y.slice(coil));
        }
    }
    void do_adjoint(ConstArrayView y, ArrayView x) const override { do_forward(y, x); }

    const ToeplitzPlan& plan_;
};

/// F^H F of samples with these weights, without or with off-resonance.
std::unique_ptr<const ToeplitzPlan> calibration_toeplitz(Backend& backend, const CalibrationSamples& samples,
                                                         const std::optional<CalibrationOffResonance>& off_resonance,
                                                         std::span<const double> weights, const SumsOptions& sums) {
    const ToeplitzSamples weighted{samples.trajectory, calibration_matrix(samples.region), weights, sums,
                                   sums.precision};
    return off_resonance ? toeplitz_of_samples(backend, weighted, off_resonance->maps(), off_resonance->of_toeplitz())
                         : toeplitz_of_samples(backend, weighted);
}

/// sum w conj(F) d of every coil.
Array weighted_adjoint(Backend& backend, const CalibrationSamples& samples,
                       const std::optional<CalibrationOffResonance>& off_resonance, std::span<const double> weights,
                       const SumsOptions& options) {
    const VoxelGrid grid = VoxelGrid::image(calibration_matrix(samples.region));
    const Index sample_count = samples.trajectory.sample_count();
    const Index coil_count = samples.coil_count;
    const Precision precision = options.precision;
    std::shared_ptr<const FourierSums> sums =
        make_fourier_sums(backend, samples.trajectory, choose_sums(backend, options, sample_count, grid, coil_count));
    if (off_resonance) {
        sums = std::make_shared<SegmentedSums>(backend, sums, off_resonance->maps(), off_resonance->of_sums());
    }
    const KspaceBatches weighted(backend, samples.kspace, Shape::samples(sample_count).with_axis("coil", coil_count),
                                 weights, precision, Residency::streamed);
    const Index at_once =
        Encoding::coils_at_once(grid.shape, sample_count, coil_count, precision, backend.memory().piece_bytes());
    Array result(backend, grid.shape.with_axis("coil", coil_count), precision);
    for (Index first = 0; first < coil_count; first += at_once) {
        const Index count = std::min(at_once, coil_count - first);
        sums->adjoint(weighted.coils(first, count), result.view().slices(first, count));
    }
    return result;
}

}  // namespace

CalibrationProblem::CalibrationProblem(Backend& backend, const CalibrationSamples& samples,
                                       const std::optional<CalibrationOffResonance>& off_resonance,
                                       const SumsOptions& sums)
    : backend_(backend),
      region_(samples.region),
      coil_count_(samples.coil_count),
      largest_(largest_of(samples.kspace)) {
    const std::vector<double> weights = cell_weights(samples.trajectory);
    for (std::size_t i = 0; i < samples.kspace.size(); ++i) {
        energy_ += weights[i % weights.size()] * std::norm(cdouble(samples.kspace[i]));
    }
    energy_ /= std::pow(largest_, 2.0);
    right_side_.emplace(weighted_adjoint(backend, samples, off_resonance, weights, sums));
    backend.scale(1 / static_cast<double>(largest_), *right_side_);
    normal_ = calibration_toeplitz(backend, samples, off_resonance, weights, sums);
}

void CalibrationProblem::apply_normal(ConstArrayView coil_images, ArrayView result) const {
    NormalOfCoils(backend_, right_side_->shape(), *normal_).forward(coil_images, result);
}

Array CalibrationProblem::coil_images() const {
    Array images(backend_, right_side_->shape(), right_side_->precision());
    backend_.fill(0, images);
    solve_cg(NormalOfCoils(backend_, right_side_->shape(), *normal_), *right_side_, images,
             {.iterations = calibration_iterations, .stop = 0, .guard_vectors = 0});
    return images;
}

double CalibrationProblem::part_left_over(const Array& coil_images) const {
    Array product(backend_, right_side_->shape(), right_side_->precision());
    apply_normal(coil_images, product);
    const double left =
        energy_ - 2 * backend_.dot(*right_side_, coil_images).real() + backend_.dot(coil_images, product).real();
    return std::sqrt(std::max(0.0, left) / energy_);
}

double CalibrationProblem::part_left_open() const {
    const Shape one_coil = normal_->image_shape().with_axis("coil", 1);
    const NormalOfCoils normal(backend_, one_coil, *normal_);
    Array white(backend_, one_coil, normal_->precision());
    Array right_side(backend_, one_coil, normal_->precision());
    Array found(backend_, one_coil, normal_->precision());
    backend_.fill_white(0, 0, white);
    backend_.fill(0, found);
    normal.forward(white, right_side);
    solve_cg(normal, right_side, found, {.iterations = calibration_iterations, .stop = 0, .guard_vectors = 0});
    const double all = kspace_of(white).energy();
    backend_.axpby(-1, white, 1, found);
    return std::sqrt(kspace_of(found).energy() / all);
}

double CalibrationProblem::largest_replica() const {
    constexpr Index away = 3;  // voxels, of about half a wave of the region
    const PerAxis<Index> size = matrix();
    std::vector<cdouble> point(Shape::image(size).element_count());
    point[(size[2] / 2 * size[1] + size[1] / 2) * size[0] + size[0] / 2] = 1;
    Array image(backend_, normal_->image_shape(), normal_->precision());
    Array spread(backend_, normal_->image_shape(), normal_->precision());
    upload(point, image);
    normal_->apply(image, std::nullopt, spread);
    const std::vector<cdouble> values = download<double>(spread);
    double largest = 0, own = 0;
    for (Index i = 0; i < std::ssize(values); ++i) {
        const PerAxis<Index> at{i % size[0] - size[0] / 2, i / size[0] % size[1] - size[1] / 2,
                                i / size[0] / size[1] - size[2] / 2};
        const Index distance = std::max({std::abs(at[0]), std::abs(at[1]), std::abs(at[2])});
        const double value = std::abs(values[i]);
        own = distance == 0 ? value : own;
        largest = distance >= away ? std::max(largest, value) : largest;
    }
    return own > 0 ? largest / own : 0;
}

CalibrationImages CalibrationProblem::on_host(const Array& coil_images) const {
    return {region_, matrix(), download<double>(coil_images), largest_};
}

CalibrationBytes calibration_bytes(const Backend& backend, const CalibrationRegion& region, Index sample_count,
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
    const std::size_t solving = 4 * images;
    const std::size_t held = images + toeplitz.held + modulations;
    return {held, std::max(images + gridding, held + std::max(making, solving + toeplitz.running)), toeplitz.running};
}

}  // namespace recon
