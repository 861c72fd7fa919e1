#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/error.hpp"
#include "data/simulation/birdcage_maps.hpp"
#include "data/simulation/scan_assembly.hpp"
#include "data/simulation/simulate_scan.hpp"

namespace recon {
namespace {

/// One axis of `band_limited`: element (i, j) is (1/M) sum_k exp(i 2 pi k (r_i - r_j)) over k = -floor(N/2) ...
std::vector<cdouble> band_matrix(Index fine, Index coarse) {
    const VoxelGrid from = VoxelGrid::image({fine, 1, 1});
    const VoxelGrid to = VoxelGrid::image({coarse, 1, 1});
    std::vector<cdouble> matrix(fine * coarse);
    for (Index i = 0; i < coarse; ++i) {
        for (Index j = 0; j < fine; ++j) {
            cdouble sum = 0;
            for (Index k = -(coarse / 2); k < coarse - coarse / 2; ++k) {
                sum += std::polar(1.0, 2 * pi * static_cast<double>(k) * (to.position(0, i) - from.position(0, j)));
            }
            matrix[i * fine + j] = sum / static_cast<double>(fine);
        }
    }
    return matrix;
}

/// Applies `matrix` along the middle axis of [inner fine outer].
std::vector<cdouble> along_axis(const std::vector<cdouble>& values, const std::vector<cdouble>& matrix, Index inner,
                                Index fine, Index coarse, Index outer) {
    std::vector<cdouble> result(inner * coarse * outer, 0);
#pragma omp parallel for schedule(static)
    for (Index row = 0; row < coarse * outer; ++row) {
        const Index i = row % coarse;
        const Index o = row / coarse;
        for (Index j = 0; j < fine; ++j) {
            const cdouble factor = matrix[i * fine + j];
            const cdouble* from = values.data() + (o * fine + j) * inner;
            for (Index x = 0; x < inner; ++x) {
                result[row * inner + x] += factor * from[x];
            }
        }
    }
    return result;
}

void require_usable(const Image& volume, const PerAxis<Index>& matrix_size) {
    volume.require_consistent();
    if (volume.frame_count() != 1) {
        throw InputError(fmt::format("`from`: the file holds {} images, expected one", volume.frame_count()));
    }
    const PerAxis<Index>& fine = volume.geometry.matrix_size;
    for (int axis = 0; axis < 3; ++axis) {
        if (matrix_size[axis] > fine[axis] || (matrix_size[axis] == 1) != (fine[axis] == 1)) {
            throw UsageError(
                fmt::format("`matrix` {} {} {} does not fit an image of {} x {} x {} voxels: the image must "
                            "have the same axes and at least as many voxels along each",
                            matrix_size[0], matrix_size[1], matrix_size[2], fine[0], fine[1], fine[2]));
        }
    }
    bool something = false;
    for (const cfloat& value : volume.voxels) {
        if (!std::isfinite(value.real()) || !std::isfinite(value.imag())) {
            throw InputError("`from`: the image has voxels that are not finite");
        }
        something = something || value != cfloat(0);
    }
    if (!something) {
        throw InputError("`from`: the image is zero everywhere");
    }
}

/// One coil's map alone.
TrigonometricMaps one_of(const TrigonometricMaps& maps, Index coil) {
    const auto frequency_count = static_cast<Index>(maps.frequencies.size());
    const auto first = maps.coefficients.begin() + coil * frequency_count;
    return {maps.frequencies, 1, {first, first + frequency_count}};
}

}  // namespace

std::vector<cdouble> band_limited(std::span<const cfloat> fine, PerAxis<Index> fine_size, PerAxis<Index> coarse_size) {
    std::vector<cdouble> values(fine.begin(), fine.end());
    values = along_axis(values, band_matrix(fine_size[0], coarse_size[0]), 1, fine_size[0], coarse_size[0],
                        fine_size[1] * fine_size[2]);
    values = along_axis(values, band_matrix(fine_size[1], coarse_size[1]), coarse_size[0], fine_size[1], coarse_size[1],
                        fine_size[2]);
    return along_axis(values, band_matrix(fine_size[2], coarse_size[2]), coarse_size[0] * coarse_size[1], fine_size[2],
                      coarse_size[2], 1);
}

Simulation simulate_scan_of(const Image& volume, Backend& backend, const SimulationOptions& options) {
    require_valid(options);
    const PerAxis<Index> matrix_size = options.request.matrix_size;
    require_usable(volume, matrix_size);
    DesignedTrajectory design = design_trajectory(options.trajectory, options.request);
    PerAxis<bool> present{};
    for (int axis = 0; axis < 3; ++axis) {
        present[axis] = matrix_size[axis] > 1;
    }
    const TrigonometricMaps maps = fit_birdcage_maps(options.coil_count, present, {});
    const PerAxis<Index> fine_size = volume.geometry.matrix_size;
    const VoxelGrid grid = VoxelGrid::image(fine_size);
    const Index fine_count = volume.voxel_count();
    const Index sample_count = design.trajectory.sample_count();
    const std::vector<cdouble> coarse = band_limited(volume.voxels, fine_size, matrix_size);
    const double scale = static_cast<double>(coarse.size()) / static_cast<double>(fine_count);

    const auto sums = backend.make_exact_sums(design.trajectory, grid, Precision::double_);
    Array image(backend, grid.shape, Precision::double_);
    Array samples(backend, Shape::samples(sample_count), Precision::double_);
    std::vector<cfloat> kspace(sample_count * options.coil_count);
    for (Index coil = 0; coil < options.coil_count; ++coil) {
        const std::vector<cfloat> map = evaluate_maps(one_of(maps, coil), fine_size, {});
        std::vector<cdouble> weighted(fine_count);
        for (Index i = 0; i < fine_count; ++i) {
            weighted[i] = scale * cdouble(volume.voxels[i]) * cdouble(map[i]);
        }
        upload(std::span<const cdouble>(weighted), image);
        sums->forward(image, samples);
        download(samples, std::span<cfloat>(kspace).subspan(coil * sample_count, sample_count));
    }
    return assemble_simulation(options, std::move(design), {coarse.begin(), coarse.end()}, std::move(kspace),
                               evaluate_maps(maps, matrix_size, {}));
}

}  // namespace recon
