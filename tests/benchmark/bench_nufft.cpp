// Speed and measured error of the NUFFT on a 3-D radial scan. Usage: bench_nufft [--json FILE] [--size 64|128]

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/backend/cpu/cpu_backend.hpp"
#include "core/fourier/direct_sums.hpp"
#include "core/operators/sampling/nufft.hpp"
#include "data/simulation/random_problem.hpp"

namespace {

using namespace recon;

/// Spokes through the centre with 2N samples each, N^2/2 directions spread evenly over the sphere (a Fibonacci spiral).
Trajectory radial_trajectory(Index n) {
    const Index spoke_count = n * n / 2;
    const Index spoke_length = 2 * n;
    Trajectory trajectory;
    for (Index spoke = 0; spoke < spoke_count; ++spoke) {
        const double z = 1 - (2.0 * static_cast<double>(spoke) + 1) / static_cast<double>(spoke_count);
        const double azimuth = pi * (3 - std::sqrt(5.0)) * static_cast<double>(spoke);
        const double across = std::sqrt(1 - z * z);
        for (Index i = 0; i < spoke_length; ++i) {
            const double radius = 0.5 * (static_cast<double>(i) + 0.5 - static_cast<double>(n));
            trajectory.k[0].push_back(radius * across * std::cos(azimuth));
            trajectory.k[1].push_back(radius * across * std::sin(azimuth));
            trajectory.k[2].push_back(radius * z);
        }
    }
    return trajectory;
}

/// Least time of a few runs: the others were disturbed.
template <class Function>
double least_seconds(Function&& function) {
    double least = 1e300;
    double total = 0;
    for (int run = 0; run < 20 && (run < 3 || total < 1.0); ++run) {
        const auto begin = std::chrono::steady_clock::now();
        function();
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        least = std::min(least, seconds);
        total += seconds;
    }
    return least;
}

double relative_error(const std::vector<cdouble>& values, const std::vector<cdouble>& reference,
                      const std::vector<Index>& places) {
    double difference = 0;
    double size = 0;
    for (std::size_t i = 0; i < places.size(); ++i) {
        difference += std::norm(values[places[i]] - reference[i]);
        size += std::norm(reference[i]);
    }
    return std::sqrt(difference / size);
}

/// Chosen at random, the same every time.
std::vector<Index> some_places(Index count, Index size) {
    std::mt19937_64 generator(7);
    std::vector<Index> places(count);
    for (Index& place : places) {
        place = static_cast<Index>(generator() % static_cast<std::uint64_t>(size));
    }
    return places;
}

nlohmann::json measure(Backend& backend, Index n, Index coil_count, double tolerance, Precision precision) {
    const Trajectory trajectory = radial_trajectory(n);
    const VoxelGrid grid = VoxelGrid::image({n, n, n});
    const Index m = trajectory.sample_count();
    const auto begin = std::chrono::steady_clock::now();
    const Nufft nufft(backend, trajectory, grid, tolerance, precision);
    const double plan_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();

    const std::vector<cdouble> sample_values = random_values(m * coil_count, 1);
    const std::vector<cdouble> voxel_values = random_values(grid.shape.element_count() * coil_count, 2);
    Array samples(backend, Shape::samples(m).with_axis("batch", coil_count), precision);
    Array image(backend, grid.shape.with_axis("batch", coil_count), precision);

    upload(sample_values, samples);
    const double adjoint_seconds = least_seconds([&] { nufft.adjoint(samples, image); });
    const std::vector<Index> voxels = some_places(50, grid.shape.element_count());
    const std::vector<cdouble> first_samples(sample_values.begin(), sample_values.begin() + m);
    const double adjoint_error =
        relative_error(download<double>(image), direct_adjoint_at(trajectory, grid, voxels, first_samples), voxels);

    upload(voxel_values, image);
    const double forward_seconds = least_seconds([&] { nufft.forward(image, samples); });
    const std::vector<Index> places = some_places(50, m);
    Trajectory chosen;
    for (const Index place : places) {
        for (int axis = 0; axis < 3; ++axis) {
            chosen.k[axis].push_back(trajectory.k[axis][place]);
        }
    }
    const std::vector<cdouble> first_image(voxel_values.begin(), voxel_values.begin() + grid.shape.element_count());
    const double forward_error =
        relative_error(download<double>(samples), direct_forward(chosen, grid, first_image), places);

    GriddingGeometry geometry{nufft.design().grid_size, {}, nufft.design().kernel};
    for (int axis = 0; axis < 3; ++axis) {
        geometry.grid_steps[axis] = static_cast<double>(geometry.grid_size[axis]) / static_cast<double>(n);
    }
    const auto gridding = backend.make_gridding(trajectory, geometry, precision);
    Array oversampled(backend, Shape::image(geometry.grid_size).with_axis("batch", coil_count), precision);
    const double spread_seconds = least_seconds([&] { gridding->spread(samples, oversampled); });
    const double interpolate_seconds = least_seconds([&] { gridding->interpolate(oversampled, samples); });

    const double count = static_cast<double>(m * coil_count);
    return {{"matrix", n},
            {"samples", m},
            {"coils", coil_count},
            {"precision", std::string(name_of(precision))},
            {"tolerance", tolerance},
            {"design", nufft.design().text()},
            {"plan_seconds", plan_seconds},
            {"adjoint_samples_per_second", count / adjoint_seconds},
            {"forward_samples_per_second", count / forward_seconds},
            {"adjoint_error", adjoint_error},
            {"forward_error", forward_error},
            {"spread_seconds", spread_seconds},
            {"interpolate_seconds", interpolate_seconds},
            {"adjoint_seconds", adjoint_seconds},
            {"forward_seconds", forward_seconds},
            {"predicted_seconds", static_cast<double>(coil_count) * nufft.design().predicted_seconds}};
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app("Speed and measured error of the NUFFT on a 3-D radial scan");
    std::string json_path;
    std::vector<Index> sizes{64, 128};
    std::vector<Index> coil_counts{1, 8};
    std::vector<double> tolerances{1e-3, 1e-4, 1e-5, 1e-6};
    int thread_count = 0;
    bool double_precision = false;
    app.add_option("--json", json_path, "write the figures here");
    app.add_option("--size", sizes, "voxels along each axis");
    app.add_option("--coils", coil_counts, "images transformed at once");
    app.add_option("--tolerance", tolerances, "relative L2 error asked for");
    app.add_option("--threads", thread_count, "0 means all cores");
    app.add_flag("--double", double_precision, "double precision");
    CLI11_PARSE(app, argc, argv);

    const auto backend = make_cpu_backend(thread_count);
    fmt::print("{}\n", backend->description());
    fmt::print(
        "  N coils  tolerance |  plan ms | adjoint Ms/s  error    spread ms | forward Ms/s  error   interp. ms | "
        "design\n");
    nlohmann::json results = nlohmann::json::array();
    for (const Index n : sizes) {
        for (const Index coil_count : coil_counts) {
            for (const double tolerance : tolerances) {
                const nlohmann::json r = measure(*backend, n, coil_count, tolerance,
                                                 double_precision ? Precision::double_ : Precision::single);
                results.push_back(r);
                fmt::print(
                    "{:3} {:5} {:10.0e} | {:8.1f} | {:12.2f} {:.2e} {:9.2f} | {:12.2f} {:.2e} {:9.2f} | {}, "
                    "predicted / adjoint {:.2f}\n",
                    n, coil_count, tolerance, 1e3 * r["plan_seconds"].get<double>(),
                    1e-6 * r["adjoint_samples_per_second"].get<double>(), r["adjoint_error"].get<double>(),
                    1e3 * r["spread_seconds"].get<double>(), 1e-6 * r["forward_samples_per_second"].get<double>(),
                    r["forward_error"].get<double>(), 1e3 * r["interpolate_seconds"].get<double>(),
                    r["design"].get<std::string>(),
                    r["predicted_seconds"].get<double>() / r["adjoint_seconds"].get<double>());
            }
        }
    }
    if (!json_path.empty()) {
        std::ofstream(json_path) << results.dump(2) << "\n";
    }
    return 0;
}
