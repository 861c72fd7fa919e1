#include "app/reconstruction/coils/coil_image_product.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/operators/sampling/fourier_sums_choice.hpp"

namespace recon {
namespace {

constexpr double half_cycle = 0.5;

/// In half cycles per FOV. Fewer in volumes, where they are the cube of that.
Index finest_wave(const PerAxis<Index>& matrix) { return is_volume(matrix) ? 4 : 6; }

double square_of(const PerAxis<double>& k) { return k[0] * k[0] + k[1] * k[1] + k[2] * k[2]; }

/// Along each axis.
PerAxis<Index> degrees(const PerAxis<Index>& matrix) {
    const auto degree = [&](int axis) { return matrix[axis] > 1 ? finest_wave(matrix) : 0; };
    return {degree(0), degree(1), degree(2)};
}

PerAxis<double> wave_at(const Trajectory& waves, Index i) { return {waves.k[0][i], waves.k[1][i], waves.k[2][i]}; }

Trajectory waves_of_coils(const PerAxis<Index>& matrix) {
    const double finest = static_cast<double>(finest_wave(matrix)) * half_cycle;
    const PerAxis<Index> degree = degrees(matrix);
    Trajectory waves;
    for (Index z = -degree[2]; z <= degree[2]; ++z) {
        for (Index y = -degree[1]; y <= degree[1]; ++y) {
            for (Index x = -degree[0]; x <= degree[0]; ++x) {
                const PerAxis<double> q{half_cycle * static_cast<double>(x), half_cycle * static_cast<double>(y),
                                        half_cycle * static_cast<double>(z)};
                if (square_of(q) <= finest * finest) {
                    for (int axis = 0; axis < 3; ++axis) {
                        waves.k[axis].push_back(q[axis]);
                    }
                }
            }
        }
    }
    return waves;
}

/// [x y z] of the circulant grid, in FFT order.
Array amplitudes_of_objects(Backend& backend, const PerAxis<Index>& matrix, Precision precision) {
    constexpr double exponent = -0.75;
    const PerAxis<Index> grid = circulant_grid(matrix);
    const Shape shape = Shape::image(grid);
    std::vector<double> amplitudes;
    for (Index i = 0; i < shape.element_count(); ++i) {
        const PerAxis<Index> point{i % grid[0], i / grid[0] % grid[1], i / grid[0] / grid[1]};
        PerAxis<double> k{};
        for (int axis = 0; axis < 3; ++axis) {
            const Index signed_point = 2 * point[axis] < grid[axis] ? point[axis] : point[axis] - grid[axis];
            k[axis] = static_cast<double>(signed_point * matrix[axis]) / static_cast<double>(grid[axis]);
        }
        amplitudes.push_back(std::pow(1 + square_of(k), exponent));
    }
    Array result(backend, shape, precision);
    upload_real(amplitudes, result);
    return result;
}

/// Over the number of voxels: the Fourier sums of a wave are then its amplitude.
std::vector<double> amplitudes_of(const Trajectory& waves, Index voxel_count) {
    constexpr double exponent = -1.5;
    std::vector<double> amplitudes;
    for (Index i = 0; i < waves.sample_count(); ++i) {
        amplitudes.push_back(std::pow(1 + square_of(wave_at(waves, i)), exponent) / static_cast<double>(voxel_count));
    }
    return amplitudes;
}

SumsChoice sums_of(const Backend& backend, const PerAxis<Index>& matrix, Index coil_count, Precision precision) {
    const SumsOptions options{SumsMethod::automatic, rough_calibration_sums.tolerance, precision};
    return choose_sums(backend, options, waves_of_coils(matrix).sample_count(), VoxelGrid::image(matrix), coil_count);
}

Shape of_coils(const Shape& shape, Index coil_count) { return shape.with_axis("coil", coil_count); }

}  // namespace

CoilImageProduct::CoilImageProduct(const CalibrationProblem& problem)
    : LinearOperator("products of image and coils", problem.backend(),
                     {{"unknown", unknown_count(problem.matrix(), problem.coil_count())}},
                     of_coils(Shape::image(problem.matrix()), problem.coil_count()), problem.precision()),
      waves_(waves_of_coils(problem.matrix())),
      filter_(Shape::image(problem.matrix()), amplitudes_of_objects(backend(), problem.matrix(), precision())),
      sums_(make_fourier_sums(backend(), waves_,
                              sums_of(backend(), problem.matrix(), problem.coil_count(), precision()))),
      amplitudes_(backend(), Shape::samples(waves_.sample_count()), precision()),
      image_(backend(), filter_.domain(), precision()),
      coils_(backend(), codomain(), precision()),
      weighted_waves_(backend(), of_coils(amplitudes_.shape(), problem.coil_count()), precision()),
      coil_images_(backend(), codomain(), precision()),
      one_image_(backend(), filter_.domain(), precision()) {
    upload_real(amplitudes_of(waves_, voxel_count()), amplitudes_);
}

Index CoilImageProduct::unknown_count(const PerAxis<Index>& matrix, Index coil_count) {
    return Shape::image(matrix).element_count() + coil_count * waves_of_coils(matrix).sample_count();
}

PlanBytes CoilImageProduct::bytes(const Backend& backend, const PerAxis<Index>& matrix, Index coil_count,
                                  Precision precision, std::size_t piece_bytes) {
    const Index wave_count = waves_of_coils(matrix).sample_count();
    const Shape grid = Shape::image(circulant_grid(matrix));
    const std::size_t complex = complex_bytes(precision);
    const std::size_t image = Shape::image(matrix).element_count() * complex;
    const FourierSumsSizes sums(backend, sums_of(backend, matrix, coil_count, precision), wave_count);
    const PlanBytes of_sums = sums.bytes(coil_count, piece_bytes);
    const PlanBytes of_filter =
        backend.plan_sizes().circulant(Shape::image(matrix), circulant_grid(matrix), precision, piece_bytes);
    const std::size_t factors = grid.element_count() * complex;
    const std::size_t held = of_sums.held + of_filter.held + (2 * coil_count + 2) * image +
                             (coil_count + 1) * static_cast<std::size_t>(wave_count) * complex;
    return {.held = held,
            .making = std::max(of_sums.making, of_filter.making + factors),
            .running = std::max(of_sums.running, of_filter.running)};
}

void CoilImageProduct::sum_waves(ConstArrayView unknowns, ArrayView coils) const {
    const ConstArrayView e = coil_part(unknowns);
    for (Index coil = 0; coil < coil_count(); ++coil) {
        backend().multiply(Conjugate::no, amplitudes_, e.slice(coil), Accumulate::no, weighted_waves_.slice(coil));
    }
    sums_->adjoint(weighted_waves_, coils);
}

void CoilImageProduct::move_to(ConstArrayView unknowns) {
    filter_.forward(image_part(unknowns), image_);
    sum_waves(unknowns, coils_);
}

void CoilImageProduct::products(ArrayView coil_images) const {
    for (Index coil = 0; coil < coil_count(); ++coil) {
        backend().multiply(Conjugate::no, image_, coils_.slice(coil), Accumulate::no, coil_images.slice(coil));
    }
}

TrigonometricField CoilImageProduct::coils(ConstArrayView unknowns) const {
    const std::vector<cfloat> e = download<float>(coil_part(unknowns));
    const std::vector<double> amplitudes = amplitudes_of(waves_, 1);
    const Index wave_count = waves_.sample_count();
    TrigonometricField field(coil_count(), degrees(image_.shape().matrix_size()), TrigonometricField::Sign::plus);
    field.set_step(half_cycle);
    for (Index i = 0; i < wave_count; ++i) {
        PerAxis<Index> q{};
        for (int axis = 0; axis < 3; ++axis) {
            q[axis] = std::lround(waves_.k[axis][i] / half_cycle);
        }
        for (Index coil = 0; coil < coil_count(); ++coil) {
            field.coefficients(q)[coil] = static_cast<float>(amplitudes[i]) * e[coil * wave_count + i];
        }
    }
    return field;
}

void CoilImageProduct::do_forward(ConstArrayView x, ArrayView y) const {
    filter_.forward(image_part(x), one_image_);
    sum_waves(x, coil_images_);
    for (Index coil = 0; coil < coil_count(); ++coil) {
        backend().multiply(Conjugate::no, coils_.slice(coil), one_image_, Accumulate::no, y.slice(coil));
        backend().multiply(Conjugate::no, image_, coil_images_.slice(coil), Accumulate::yes, y.slice(coil));
    }
}

void CoilImageProduct::do_adjoint(ConstArrayView y, ArrayView x) const {
    backend().fill(0, one_image_);
    for (Index coil = 0; coil < coil_count(); ++coil) {
        backend().multiply(Conjugate::yes, coils_.slice(coil), y.slice(coil), Accumulate::yes, one_image_);
        backend().multiply(Conjugate::yes, image_, y.slice(coil), Accumulate::no, coil_images_.slice(coil));
    }
    filter_.adjoint(one_image_, image_part(x));
    const ArrayView e = coil_part(x);
    sums_->forward(coil_images_, e);
    for (Index coil = 0; coil < coil_count(); ++coil) {
        backend().multiply(Conjugate::no, amplitudes_, e.slice(coil), Accumulate::no, e.slice(coil));
    }
}

}  // namespace recon
