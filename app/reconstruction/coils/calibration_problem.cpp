#include "app/reconstruction/coils/calibration_problem.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "core/mri/coils/cartesian_kspace.hpp"
#include "core/operators/encoding.hpp"
#include "core/operators/kspace_batches.hpp"
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

/// The Toeplitz product between maps, of an image that all coils see. Domain and codomain [x y z].
class NormalThroughMaps final : public LinearOperator {
public:
    NormalThroughMaps(Backend& backend, const ToeplitzPlan& plan, const CoilSensitivity& maps)
        : LinearOperator("calibration image", backend, plan.image_shape(), plan.image_shape(), plan.precision()),
          plan_(plan),
          maps_(maps) {}

private:
    void do_forward(ConstArrayView x, ArrayView y) const override {
        maps_.for_each_piece(
            [&](Index first, const std::optional<ConstArrayView>& maps) {
                plan_.apply(x, maps, y, first == 0 ? Accumulate::no : Accumulate::yes);
            },
            plan_.precision());
    }
    void do_adjoint(ConstArrayView y, ArrayView x) const override { do_forward(y, x); }

    const ToeplitzPlan& plan_;
    const CoilSensitivity& maps_;
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

/// Without the corners of the box.
double energy_in_region(const CalibrationKspace& kspace) {
    const PerAxis<Index> half = kspace.region.half_extent();
    double energy = 0;
    auto value = kspace.values.begin();
    for (Index z = -half[2]; z <= half[2]; ++z) {
        for (Index y = -half[1]; y <= half[1]; ++y) {
            for (Index x = -half[0]; x <= half[0]; ++x, ++value) {
                const PerAxis<double> k{static_cast<double>(x), static_cast<double>(y), static_cast<double>(z)};
                energy += kspace.region.contains(k) ? std::norm(*value) : 0;
            }
        }
    }
    return energy;
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

Array CalibrationProblem::coil_images() const {
    Array images(backend_, right_side_->shape(), right_side_->precision());
    backend_.fill(0, images);
    improve(images, calibration_iterations);
    return images;
}

void CalibrationProblem::improve(Array& coil_images, int iterations) const {
    solve_cg(NormalOfCoils(backend_, right_side_->shape(), *normal_), *right_side_, coil_images,
             {.iterations = iterations, .stop = 0, .guard_vectors = 0});
}

Array CalibrationProblem::image_through(const CoilSensitivity& maps, int iterations) const {
    Array right_side(backend_, normal_->image_shape(), normal_->precision());
    Array image(backend_, normal_->image_shape(), normal_->precision());
    backend_.fill(0, right_side);
    backend_.fill(0, image);
    maps.accumulate_adjoint(*right_side_, 0, right_side);
    solve_cg(NormalThroughMaps(backend_, *normal_, maps), right_side, image,
             {.iterations = iterations, .stop = 0, .guard_vectors = 0});
    return image;
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
    const double all = energy_in_region(kspace_of(white));
    backend_.axpby(-1, white, 1, found);
    return std::sqrt(energy_in_region(kspace_of(found)) / all);
}

double CalibrationProblem::part_unexplained_by(const CoilSensitivity& maps) const {
    constexpr int iterations = 25;
    const Array image = image_through(maps, iterations);
    Array gradient(backend_, image.shape(), image.precision());  // F^H F rho - 2 F^H d
    NormalThroughMaps(backend_, *normal_, maps).forward(image, gradient);
    Array right_side(backend_, image.shape(), image.precision());
    backend_.fill(0, right_side);
    maps.accumulate_adjoint(*right_side_, 0, right_side);
    backend_.axpby(-2, right_side, 1, gradient);
    const double left = energy_ + backend_.dot(image, gradient).real();
    return energy_ > 0 ? std::sqrt(std::max(0.0, left / energy_)) : 0;
}

CalibrationImages CalibrationProblem::on_host(const Array& coil_images) const {
    return {region_, matrix(), download<double>(coil_images), largest_};
}

}  // namespace recon
