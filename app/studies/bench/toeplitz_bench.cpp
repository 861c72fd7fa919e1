#include <fmt/format.h>

#include "app/studies/bench/bench.hpp"
#include "core/operators/q_kernel.hpp"
#include "data/simulation/random_problem.hpp"

namespace recon {
namespace {

/// Bytes that a convolution by five passes over a doubled grid reads and writes for each voxel: x, y, z with the
/// product, y, x, none of which touches zeros, and a real spectrum of single precision.
constexpr double bytes_a_voxel = 240;
constexpr double bytes_of_coil_maps = 2 * 8;  ///< read before and after

BenchRow bench_apply(const BenchSetting& setting, Index n, Index coil_count) {
    Backend& backend = setting.backend;
    const PerAxis<Index> matrix{n, n, n};
    const Shape shape = Shape::image(matrix);
    const Trajectory trajectory = random_trajectory(n * n * n / 4, matrix, 6);
    const SumsOptions options{SumsMethod::nufft, 1e-10, Precision::double_};
    const Array q = compute_q(backend, trajectory, matrix, {}, options);
    const Array image = random_array(backend, shape, Precision::single, 7);
    const Array maps = random_array(backend, shape.with_axis("coil", coil_count), Precision::single, 8);
    const auto coil_maps = [&](const Array& array) {
        return coil_count > 1 ? std::optional<ConstArrayView>(array) : std::nullopt;
    };
    Array result(backend, shape, Precision::single);
    Timing time;
    {
        const auto plan = backend.make_toeplitz(shape, q, Precision::single);
        time = time_of(backend, [&] { plan->apply(image, coil_maps(maps), result); });
    }
    const auto in_double = [&](const Array& array) {
        Array fine(backend, array.shape(), Precision::double_);
        backend.copy(array, fine);
        return fine;
    };
    Array exact(backend, shape, Precision::double_);
    backend.make_toeplitz(shape, q, Precision::double_)->apply(in_double(image), coil_maps(in_double(maps)), exact);
    const double voxels = static_cast<double>(shape.element_count() * coil_count);
    return {.work = "Toeplitz apply",
            .size = fmt::format("{}^3, {} coil{}", n, coil_count, coil_count > 1 ? "s" : ""),
            .seconds = time.seconds,
            .noise = time.noise,
            .rate = voxels / time.seconds,
            .rate_unit = "voxels/s",
            .bound_seconds = voxels * (bytes_a_voxel + (coil_count > 1 ? bytes_of_coil_maps : 0)) /
                             setting.ceilings.copy_bytes_per_s,
            .bound = "memory, five passes",
            .error = relative_l2(result, exact),
            .error_of = "the apply in double"};
}

}  // namespace

std::vector<BenchRow> bench_toeplitz(const BenchSetting& setting) {
    return {bench_apply(setting, setting.size, 1), bench_apply(setting, setting.size, 8),
            bench_apply(setting, 2 * setting.size, 1)};
}

}  // namespace recon
