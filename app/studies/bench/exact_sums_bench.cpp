#include <fmt/format.h>

#include <cmath>

#include "app/studies/bench/bench.hpp"
#include "core/operators/q_kernel.hpp"
#include "data/simulation/random_problem.hpp"

namespace recon {
namespace {

constexpr Index sample_count = 65536;

/// Least seconds for so many real multiply-adds: on tensor cores each takes three products of half-precision numbers.
void set_product_bound(BenchRow& row, double multiply_adds, const DeviceCeilings& ceilings) {
    if (ceilings.tensor_flops > 0) {
        row.bound_seconds = 6 * multiply_adds / ceilings.tensor_flops;
        row.bound = "tensor cores, 3 half-precision products a multiply-add";
    } else {
        row.bound_seconds = 2 * multiply_adds / ceilings.fp32_flops;
        row.bound = "single-precision matrix product";
    }
}

/// Q on the differences of a matrix of half the size. Parity in all axes leaves one multiply-add a pair.
std::vector<BenchRow> bench_q(const BenchSetting& setting) {
    Backend& backend = setting.backend;
    const Index n = setting.size / 2;
    const PerAxis<Index> matrix{n, n, n};
    const VoxelGrid half = half_of_differences(matrix);
    const Shape all = VoxelGrid::differences(matrix).shape;
    const Trajectory trajectory = random_trajectory(sample_count, matrix, 3);
    const auto q_of = [&](Precision precision, Timing& time) {
        const auto sums = backend.make_exact_sums(trajectory, half, precision);
        Array weights(backend, Shape::samples(sample_count), precision);
        backend.fill(1, weights);
        Array q(backend, half.shape, precision);
        time = time_of(backend, [&] { sums->adjoint(weights, q); });
        Array mirrored(backend, all, precision);
        backend.mirror_conjugate(q, mirrored);
        return mirrored;
    };
    Timing time, time_in_double;
    const Array q = q_of(Precision::single, time);
    const Array exact = q_of(Precision::double_, time_in_double);
    const double pairs = static_cast<double>(all.element_count()) * sample_count;
    BenchRow row{.work = "exact Q",
                 .size = fmt::format("{}^3 differences, {} samples", 2 * n - 1, sample_count),
                 .seconds = time.seconds,
                 .noise = time.noise,
                 .rate = pairs / time.seconds,
                 .rate_unit = "pairs/s",
                 .error = relative_l2(q, exact),
                 .error_of = "Q in double"};
    set_product_bound(row, pairs, setting.ceilings);
    // By Parseval: rms of FFT(error of Q) over the mean of FFT(Q), which is Q(0).
    BenchRow of_operator = row;
    of_operator.work = "exact Q, as an operator";
    of_operator.error = row.error * norm(exact) / sample_count;
    of_operator.error_of = "rms over the spectrum, of Q(0)";
    BenchRow in_double{.work = "exact Q, double precision",
                       .size = row.size,
                       .seconds = time_in_double.seconds,
                       .noise = time_in_double.noise,
                       .rate = pairs / time_in_double.seconds,
                       .rate_unit = "pairs/s",
                       .error_of = "the reference"};
    return {row, of_operator, in_double};
}

/// @param range  largest over smallest magnitude of the samples
BenchRow bench_fhd(const BenchSetting& setting, Index coil_count, double range) {
    Backend& backend = setting.backend;
    const Index n = setting.size;
    const VoxelGrid grid = VoxelGrid::image({n, n, n});
    const Trajectory trajectory = random_trajectory(sample_count, {n, n, n}, 4);
    std::vector<cdouble> values = random_values(sample_count * coil_count, 5);
    for (Index i = 0; i < static_cast<Index>(values.size()); ++i) {
        values[i] *= std::pow(range, -static_cast<double>(i * 7919 % 10007) / 10007);
    }
    const auto image_of = [&](Precision precision, Timing* time) {
        const auto sums = backend.make_exact_sums(trajectory, grid, precision);
        Array samples(backend, Shape::samples(sample_count).with_axis("coil", coil_count), precision);
        upload(values, samples);
        Array image(backend, grid.shape.with_axis("coil", coil_count), precision);
        sums->adjoint(samples, image);
        if (time) {
            *time = time_of(backend, [&] { sums->adjoint(samples, image); });
        }
        return image;
    };
    Timing time;
    const Array image = image_of(Precision::single, &time);
    const double pairs = static_cast<double>(image.size()) * sample_count;
    BenchRow row{.work = range > 1 ? fmt::format("exact F^H d, dynamic range {:.0e}", range) : "exact F^H d",
                 .size = fmt::format("{}^3, {} coils, {} samples", n, coil_count, sample_count),
                 .seconds = time.seconds,
                 .noise = time.noise,
                 .rate = pairs / time.seconds,
                 .rate_unit = "pairs/s",
                 .error = relative_l2(image, image_of(Precision::double_, nullptr)),
                 .error_of = "F^H d in double"};
    set_product_bound(row, 2 * pairs, setting.ceilings);  // parity in z
    return row;
}

}  // namespace

std::vector<BenchRow> bench_exact_sums(const BenchSetting& setting) {
    std::vector<BenchRow> rows = bench_q(setting);
    rows.push_back(bench_fhd(setting, 8, 1));
    rows.push_back(bench_fhd(setting, 8, 1e5));
    return rows;
}

}  // namespace recon
