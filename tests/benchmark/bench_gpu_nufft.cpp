// Speed and error of the NUFFT of the CUDA backend on a 3-D radial scan: whole transforms, and gridding and FFT apart.
// One JSON object a line; ratios hold within one run. Usage: bench_gpu_nufft [voxels along each axis]...
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "core/base/error.hpp"
#include "core/fourier/direct_sums.hpp"
#include "core/operators/sampling/nufft.hpp"
#include "gpu/backend/gpu_backend.hpp"
#include "tests/support/random.hpp"

namespace recon {
namespace {

/// Spokes through the centre with 2N samples each, directions spread evenly over the sphere (a Fibonacci spiral).
Trajectory radial_trajectory(Index n, Index spoke_count) {
    Trajectory trajectory;
    for (Index spoke = 0; spoke < spoke_count; ++spoke) {
        const double z = 1 - (2.0 * static_cast<double>(spoke) + 1) / static_cast<double>(spoke_count);
        const double azimuth = pi * (3 - std::sqrt(5.0)) * static_cast<double>(spoke);
        const double across = std::sqrt(1 - z * z);
        for (Index i = 0; i < 2 * n; ++i) {
            const double radius = 0.5 * (static_cast<double>(i) + 0.5 - static_cast<double>(n));
            trajectory.k[0].push_back(radius * across * std::cos(azimuth));
            trajectory.k[1].push_back(radius * across * std::sin(azimuth));
            trajectory.k[2].push_back(radius * z);
        }
    }
    return trajectory;
}

double seconds_since(std::chrono::steady_clock::time_point begin) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

template <class Function>
double median_seconds(Backend& backend, Function&& function) {
    constexpr int runs = 5;
    function();
    backend.synchronize();
    double seconds[runs];
    for (double& run : seconds) {
        const auto begin = std::chrono::steady_clock::now();
        function();
        backend.synchronize();
        run = seconds_since(begin);
    }
    std::sort(seconds, seconds + runs);
    return seconds[runs / 2];
}

double relative_error(const std::vector<cdouble>& values, const std::vector<cdouble>& reference,
                      const std::vector<Index>& places) {
    std::vector<cdouble> chosen;
    for (const Index place : places) {
        chosen.push_back(values[place]);
    }
    return test::relative_difference(chosen, reference);
}

std::vector<Index> some_places(Index size) {
    std::vector<Index> places;
    for (Index i = 0; i < 24; ++i) {
        places.push_back((i * 2654435761 + 12345) % size);
    }
    return places;
}

void measure(Backend& gpu, const Trajectory& trajectory, Index n, Index coil_count, double tolerance,
             Precision precision) {
    const VoxelGrid grid = VoxelGrid::image({n, n, n});
    const Index m = trajectory.sample_count();
    const Nufft nufft(gpu, trajectory, grid, tolerance, precision);
    const double plan_seconds =
        median_seconds(gpu, [&] { const Nufft again(gpu, trajectory, grid, tolerance, precision); });
    Array samples(gpu, Shape::samples(m).with_axis("coil", coil_count), precision);
    Array image(gpu, grid.shape.with_axis("coil", coil_count), precision);
    const auto sample_values = test::random_values(m, 1);
    const auto voxel_values = test::random_values(grid.shape.element_count(), 2);
    for (Index coil = 0; coil < coil_count; ++coil) {
        upload(sample_values, samples.slice(coil));
    }
    const double adjoint_seconds = median_seconds(gpu, [&] { nufft.adjoint(samples, image); });
    const std::vector<Index> voxels = some_places(grid.shape.element_count());
    const double adjoint_error = relative_error(download<double>(image.slice(coil_count - 1)),
                                                direct_adjoint_at(trajectory, grid, voxels, sample_values), voxels);
    for (Index coil = 0; coil < coil_count; ++coil) {
        upload(voxel_values, image.slice(coil));
    }
    const double forward_seconds = median_seconds(gpu, [&] { nufft.forward(image, samples); });
    const std::vector<Index> places = some_places(m);
    Trajectory chosen;
    for (const Index place : places) {
        for (int axis = 0; axis < 3; ++axis) {
            chosen.k[axis].push_back(trajectory.k[axis][place]);
        }
    }
    const double forward_error = relative_error(download<double>(samples.slice(coil_count - 1)),
                                                direct_forward(chosen, grid, voxel_values), places);

    GriddingGeometry geometry{nufft.design().grid_size, {}, nufft.design().kernel};
    for (int axis = 0; axis < 3; ++axis) {
        geometry.grid_steps[axis] = static_cast<double>(geometry.grid_size[axis]) / static_cast<double>(n);
    }
    const auto gridding = gpu.make_gridding(trajectory, geometry, precision);
    const double gridding_plan_seconds =
        median_seconds(gpu, [&] { const auto again = gpu.make_gridding(trajectory, geometry, precision); });
    Array oversampled(gpu, Shape::image(geometry.grid_size), precision);
    const double spread_seconds = median_seconds(gpu, [&] { gridding->spread(samples.slice(0), oversampled); });
    const double interpolate_seconds =
        median_seconds(gpu, [&] { gridding->interpolate(oversampled, samples.slice(0)); });

    const double count = static_cast<double>(m * coil_count);
    const nlohmann::json result{{"matrix", n},
                                {"samples", m},
                                {"coils", coil_count},
                                {"precision", std::string(name_of(precision))},
                                {"tolerance", tolerance},
                                {"design", nufft.design().text()},
                                {"plan_ms", 1e3 * plan_seconds},
                                {"gridding_plan_ms", 1e3 * gridding_plan_seconds},
                                {"adjoint_ms", 1e3 * adjoint_seconds},
                                {"forward_ms", 1e3 * forward_seconds},
                                {"adjoint_samples_per_second", count / adjoint_seconds},
                                {"forward_samples_per_second", count / forward_seconds},
                                {"adjoint_error", adjoint_error},
                                {"forward_error", forward_error},
                                {"spread_ms_of_one", 1e3 * spread_seconds},
                                {"interpolate_ms_of_one", 1e3 * interpolate_seconds}};
    std::printf("%s\n", result.dump().c_str());
    std::fflush(stdout);
}

}  // namespace
}  // namespace recon

int main(int argc, char** argv) {
    using namespace recon;
    try {
        const auto gpu = make_cuda_backend(0);
        std::printf("{\"device\":\"%s\"}\n", gpu->description().c_str());
        std::vector<Index> sizes;
        for (int i = 1; i < argc; ++i) {
            sizes.push_back(std::clamp<Index>(std::atoll(argv[i]), 2, 512));
        }
        if (sizes.empty()) {
            sizes = {64, 256};
        }
        for (const Index n : sizes) {
            const Trajectory trajectory = radial_trajectory(n, n * n / 2);
            for (const double tolerance : {1e-3, 1e-4, 1e-5}) {
                measure(*gpu, trajectory, n, 1, tolerance, Precision::single);
            }
            measure(*gpu, trajectory, n, 8, 1e-4, Precision::single);
            measure(*gpu, trajectory, n, 1, 1e-8, Precision::double_);
        }
        // As many samples as the 3-D spiral of [Stone 2008].
        measure(*gpu, radial_trajectory(64, 25000), 64, 1, 1e-4, Precision::single);
    } catch (const Error& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return EXIT_FAILURE;
    }
    return 0;
}
