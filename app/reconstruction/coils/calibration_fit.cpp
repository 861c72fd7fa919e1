#include "app/reconstruction/coils/calibration_fit.hpp"

#include <algorithm>
#include <cmath>

#include "app/reconstruction/coils/coil_calibration.hpp"
#include "core/operators/encoding.hpp"
#include "core/operators/operator_algebra.hpp"
#include "core/operators/sampling/fourier_sums_choice.hpp"
#include "solver/conjugate_gradient.hpp"

namespace recon {
namespace {

constexpr int misfit_iterations = 10;
constexpr SumsOptions misfit_sums{SumsMethod::automatic, 1e-4, Precision::single};

/// The points of a region and what was measured there.
struct RegionSamples {
    Trajectory trajectory;
    std::vector<cdouble> kspace;  ///< [sample coil], of norm 1
};

RegionSamples samples_of(const CalibrationKspace& calibration) {
    const CalibrationRegion& region = calibration.region;
    const PerAxis<Index> half = region.half_extent();
    const Shape box = region.box();
    const Index box_size = box.element_count();
    RegionSamples samples;
    std::vector<Index> inside;
    for (Index i = 0; i < box_size; ++i) {
        const PerAxis<double> k{static_cast<double>(i % box.extent(0) - half[0]),
                                static_cast<double>(i / box.extent(0) % box.extent(1) - half[1]),
                                static_cast<double>(i / box.extent(0) / box.extent(1) - half[2])};
        if (region.contains(k)) {
            inside.push_back(i);
            for (int axis = 0; axis < 3; ++axis) {
                samples.trajectory.k[axis].push_back(k[axis]);
            }
        }
    }
    double energy = 0;
    for (Index coil = 0; coil < calibration.coil_count; ++coil) {
        for (const Index i : inside) {
            samples.kspace.push_back(calibration.values[coil * box_size + i]);
            energy += std::norm(samples.kspace.back());
        }
    }
    for (cdouble& value : samples.kspace) {
        value /= std::sqrt(energy);
    }
    return samples;
}

}  // namespace

PerAxis<Index> misfit_matrix(const CalibrationRegion& region, const PerAxis<Index>& matrix_size) {
    PerAxis<Index> coarse = calibration_matrix(region);
    for (int axis = 0; axis < 3; ++axis) {
        coarse[axis] = std::min(coarse[axis], matrix_size[axis]);
    }
    return coarse;
}

double calibration_misfit(Backend& backend, const CalibrationKspace& calibration, std::span<const cfloat> maps,
                          const PerAxis<Index>& matrix_size) {
    const PerAxis<Index> coarse = misfit_matrix(calibration.region, matrix_size);
    const RegionSamples samples = samples_of(calibration);
    const Index coil_count = calibration.coil_count;
    const Index sample_count = samples.trajectory.sample_count();
    const VoxelGrid grid = VoxelGrid::image(coarse);
    const std::shared_ptr<const FourierSums> sums = make_fourier_sums(
        backend, samples.trajectory, choose_sums(backend, misfit_sums, sample_count, grid, coil_count));
    Array coil_maps(backend, grid.shape.with_axis("coil", coil_count), Precision::single);
    upload(maps, coil_maps);
    const Encoding encoding(backend, {sums, std::make_shared<const CoilSensitivity>(std::move(coil_maps)), {}, {}});
    Array residual(backend, encoding.codomain(), Precision::single);
    upload(samples.kspace, residual);
    Array right_side(backend, grid.shape, Precision::single), image(backend, grid.shape, Precision::single);
    encoding.adjoint(residual, right_side);
    backend.fill(0, image);
    solve_cg(Normal(encoding), right_side, image, {.iterations = misfit_iterations, .stop = 1e-3, .guard_vectors = 0});
    Array explained(backend, encoding.codomain(), Precision::single);
    encoding.forward(image, explained);
    backend.axpby(-1, explained, 1, residual);
    return norm(residual);
}

}  // namespace recon
