// Whole commands, recon against BART's `pics`, on the same simulated scan: seconds, and the error against the truth.
//
//   bench_against_bart RECON [matrix 128] [coils 8] [iterations 30] [threads 2]
//
// RECON is the program to time. BART (Debian package `bart`) must be on the PATH. Files go to a temporary folder.
#include <fmt/format.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "core/mri/metrics/image_metrics.hpp"
#include "data/files/hdf5_file.hpp"
#include "data/formats/recon_h5/recon_hdf5_writer.hpp"
#include "data/simulation/simulate_scan.hpp"
#include "tests/benchmark/support/bart.hpp"

namespace {

using namespace recon;
using namespace recon::bench;

/// @return the same figures for the record
nlohmann::json report(const char* name, double seconds, const ImageComparison& figures) {
    fmt::print("{:<8} {:8.2f} s   NRMSE after one scale {:.4f} (all voxels), {:.4f} (mask), SSIM {:.4f}\n", name,
               seconds, figures.nrmse_scaled, figures.nrmse_mask, figures.ssim);
    return {{"program", name},
            {"seconds", seconds},
            {"nrmse_scaled", figures.nrmse_scaled},
            {"nrmse_mask", figures.nrmse_mask},
            {"ssim", figures.ssim}};
}

int run(const std::string& recon_program, Index matrix, Index coil_count, int iterations, int threads) {
    const WorkFolder folder;
    const auto in_folder = [&](const char* name) { return folder / name; };

    SimulationOptions options;
    options.trajectory = "radial";
    options.coil_count = coil_count;
    options.request.matrix_size = {matrix, matrix, matrix};
    options.request.readouts = matrix * matrix / 2;
    options.request.samples_per_readout = 2 * matrix;
    const Simulation simulation = simulate_scan(options);
    const Scan& scan = simulation.scan;
    const Frame& frame = scan.frames.front();
    const Index sample_count = frame.sample_count();
    fmt::print("3-D radial, {0}^3 voxels, {1} coils, {2} samples a coil, {3} iterations, {4} threads\n", matrix,
               coil_count, sample_count, iterations, threads);

    write_scan(scan, in_folder("scan.h5"));
    write_cfl(in_folder("t"), {3, sample_count}, bart_trajectory(*frame.trajectory));
    write_cfl(in_folder("k"), {1, sample_count, 1, coil_count}, frame.kspace);
    write_cfl(in_folder("s"), {matrix, matrix, matrix, coil_count}, scan.coil_maps);

    const double recon_seconds =
        seconds_of(fmt::format("{} --device cpu --threads {} --scan {} --out {} --iterations {} "
                               "--stop 0 --quiet",
                               recon_program, threads, in_folder("scan.h5"), in_folder("image.h5"), iterations));
    // -l2 -r0: plain least squares as well; -i: conjugate gradient iterations.
    const double bart_seconds =
        seconds_of(fmt::format("OMP_NUM_THREADS={} bart pics -S -l2 -r0 -i {} -t {} {} {} {}", threads, iterations,
                               in_folder("t"), in_folder("k"), in_folder("s"), in_folder("b")));

    const PerAxis<Index> size{matrix, matrix, matrix};
    const nlohmann::json results = {
        report("recon", recon_seconds,
               compare_images(H5File::open(in_folder("image.h5")).read<cfloat>("/image"), simulation.truth, size)),
        report("BART", bart_seconds,
               compare_images(read_cfl(in_folder("b"), matrix * matrix * matrix), simulation.truth, size))};
    fmt::print("BART / recon: {:.2f}\n", bart_seconds / recon_seconds);
    fmt::print("{}\n", results.dump(1));
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) {
        fmt::print(stderr, "usage: bench_against_bart RECON [matrix] [coils] [iterations] [threads]\n");
        return 2;
    }
    if (!bart_is_there()) {
        fmt::print("bench_against_bart: skipped, there is no `bart` on the PATH (Debian package bart)\n");
        return 0;
    }
    const auto argument = [&](int i, int otherwise) { return argc > i ? std::atoi(argv[i]) : otherwise; };
    return run(argv[1], argument(2, 128), argument(3, 8), argument(4, 30), argument(5, 2));
}
