#include <fmt/format.h>

#include <chrono>
#include <cmath>

#include "app/studies/bench/bench.hpp"
#include "core/fourier/direct_sums.hpp"
#include "core/operators/sampling/nufft.hpp"
#include "data/simulation/random_problem.hpp"
#include "data/simulation/trajectories/trajectory_design.hpp"

namespace recon {
namespace {

constexpr Index checked_count = 24;  ///< voxels and samples that direct sums in double are computed for

/// As many samples as voxels: n^2 / 2 spokes through the centre with 2 n samples each.
Trajectory radial_trajectory(Index n) {
    TrajectoryRequest request;
    request.matrix_size = {n, n, n};
    request.readouts = n * n / 2;
    request.samples_per_readout = 2 * n;
    return design_trajectory("radial", request).trajectory;
}

std::vector<Index> places_in(Index size) {
    std::vector<Index> places(checked_count);
    for (Index i = 0; i < checked_count; ++i) {
        places[i] = (i * 2654435761 + 12345) % size;
    }
    return places;
}

/// Of the last of the arrays that `values` consists of.
double error_at(const std::vector<Index>& places, ConstArrayView values, const std::vector<cdouble>& exact) {
    const std::vector<cdouble> all = download<double>(values);
    double difference = 0;
    double size = 0;
    for (std::size_t i = 0; i < places.size(); ++i) {
        difference += std::norm(all[places[i]] - exact[i]);
        size += std::norm(exact[i]);
    }
    return std::sqrt(difference / size);
}

/// Bytes that a kernel of `width` points an axis reads and writes on the fast memory of the grid, for one sample.
void set_bound(BenchRow& row, double samples, int width, double accesses, const DeviceCeilings& ceilings) {
    const double bytes =
        samples * std::pow(width, 3) * accesses * static_cast<double>(complex_bytes(Precision::single));
    if (ceilings.shared_bytes_per_s > 0) {
        row.bound_seconds = bytes / ceilings.shared_bytes_per_s;
        row.bound = fmt::format("shared memory, {} points a sample", width * width * width);
    } else {
        row.bound_seconds = samples * std::pow(width, 3) * 4 / ceilings.fp32_flops;
        row.bound = fmt::format("multiply-adds, {} points a sample", width * width * width);
    }
}

void set_time(BenchRow& row, const Timing& time) {
    row.seconds = time.seconds;
    row.noise = time.noise;
}

std::vector<BenchRow> bench_transforms(const BenchSetting& setting, const Trajectory& trajectory, Index n,
                                       Index coil_count, double tolerance) {
    Backend& backend = setting.backend;
    const VoxelGrid grid = VoxelGrid::image({n, n, n});
    const Index sample_count = trajectory.sample_count();
    const auto start = std::chrono::steady_clock::now();
    const Nufft nufft(backend, trajectory, grid, tolerance, Precision::single);
    backend.synchronize();
    const double plan_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();

    const std::string size =
        fmt::format("{}^3, {:.2g} samples, {} coil{}, tolerance {:.0e}", n, static_cast<double>(sample_count),
                    coil_count, coil_count > 1 ? "s" : "", tolerance);
    const double samples = static_cast<double>(sample_count * coil_count);
    const int width = nufft.design().kernel.width;
    Array kspace =
        random_array(backend, Shape::samples(sample_count).with_axis("coil", coil_count), Precision::single, 9);
    Array image(backend, grid.shape.with_axis("coil", coil_count), Precision::single);

    BenchRow adjoint{
        .work = "NUFFT adjoint", .size = size, .rate_unit = "samples/s", .error_of = "direct sums in double"};
    set_time(adjoint, time_of(backend, [&] { nufft.adjoint(kspace, image); }));
    adjoint.rate = samples / adjoint.seconds;
    set_bound(adjoint, samples, width, 2, setting.ceilings);
    const std::vector<Index> voxels = places_in(grid.shape.element_count());
    adjoint.error = error_at(voxels, image.slice(0),
                             direct_adjoint_at(trajectory, grid, voxels, download<double>(kspace.slice(0))));

    BenchRow forward{
        .work = "NUFFT forward", .size = size, .rate_unit = "samples/s", .error_of = "direct sums in double"};
    const std::vector<cdouble> voxel_values = random_values(grid.shape.element_count(), 10);
    for (Index coil = 0; coil < coil_count; ++coil) {
        upload(voxel_values, image.slice(coil));
    }
    set_time(forward, time_of(backend, [&] { nufft.forward(image, kspace); }));
    forward.rate = samples / forward.seconds;
    set_bound(forward, samples, width, 1, setting.ceilings);
    const std::vector<Index> places = places_in(sample_count);
    Trajectory checked;
    for (const Index place : places) {
        for (int axis = 0; axis < 3; ++axis) {
            checked.k[axis].push_back(trajectory.k[axis][place]);
        }
    }
    forward.error = error_at(places, kspace.slice(0), direct_forward(checked, grid, voxel_values));
    BenchRow plan{.work = "NUFFT plan", .size = size, .seconds = plan_seconds};
    plan.rate = static_cast<double>(sample_count) / plan_seconds;
    plan.rate_unit = "samples/s";
    return {adjoint, forward, plan};
}

}  // namespace

std::vector<BenchRow> bench_nufft(const BenchSetting& setting) {
    const Index n = 2 * setting.size;
    const Trajectory trajectory = radial_trajectory(n);
    std::vector<BenchRow> rows = bench_transforms(setting, trajectory, n, 1, 1e-4);
    for (const auto& [coil_count, tolerance] : {std::pair<Index, double>{8, 1e-4}, {1, 1e-6}}) {
        const std::vector<BenchRow> more = bench_transforms(setting, trajectory, n, coil_count, tolerance);
        rows.insert(rows.end(), more.begin(), more.end() - 1);
    }
    return rows;
}

}  // namespace recon
