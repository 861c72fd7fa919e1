#include "app/studies/stone2008/product_sums.hpp"

#include <fmt/format.h>

#include "core/base/stopwatch.hpp"
#include "core/operators/q_kernel.hpp"
#include "core/operators/sampling/fourier_sums_choice.hpp"

namespace recon::stone {

ProductSums product_sums(const Scan& scan, Backend& backend, Precision precision) {
    const double tolerance = precision == Precision::single ? 1e-6 : 1e-12;
    const SumsOptions q_options{SumsMethod::automatic, tolerance, Precision::double_};
    const SumsOptions fhd_options{SumsMethod::automatic, tolerance, precision};
    const VoxelGrid grid = VoxelGrid::image(scan.matrix_size);
    const SumsChoice choice = choose_sums(backend, fhd_options, scan.trajectory.sample_count(), grid, 1);
    ProductSums sums;
    {
        const Stopwatch watch;
        sums.q = download<double>(compute_q(backend, scan.trajectory, scan.matrix_size, {}, q_options));
        sums.q_seconds = watch.seconds();
    }
    const Stopwatch watch;
    Array samples(backend, Shape::samples(scan.trajectory.sample_count()), precision);
    Array image(backend, grid.shape, precision);
    upload(scan.kspace, samples);
    make_fourier_sums(backend, scan.trajectory, choice)->adjoint(samples, image);
    sums.fhd = download<double>(image);
    sums.fhd_seconds = watch.seconds();
    sums.remark = fmt::format("{} to {:g} on {}; half of Q; plans and copies included",
                              choice.method == SumsMethod::exact ? "exact sums" : "NUFFT", tolerance, backend.name());
    return sums;
}

}  // namespace recon::stone
