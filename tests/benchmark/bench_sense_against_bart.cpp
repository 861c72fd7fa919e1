// SENSE with coil maps from the scan itself: recon against BART (nufft, ecalib, pics) on the same simulated radial
// scan.
//
//   bench_sense_against_bart RECON [matrix 256] [coils 12] [undersampling 4] [threads 2]
//
// RECON is the program to time; BART (Debian package `bart`) must be on the PATH. The scan file has no maps. Seconds
// are those of whole commands, maps included, the median of three where it says so; errors are those of magnitude
// images against the truth, as phases depend on the reference of the maps, for several numbers of iterations, without
// regularisation.
#include <nlohmann/json.hpp>

#include <algorithm>

#include "core/mri/metrics/image_metrics.hpp"
#include "data/files/hdf5_file.hpp"
#include "data/formats/recon_h5/recon_hdf5_writer.hpp"
#include "data/simulation/simulate_scan.hpp"
#include "tests/benchmark/support/bart.hpp"

namespace {

using namespace recon;
using namespace recon::bench;

std::vector<cfloat> magnitude(std::vector<cfloat> image) {
    for (cfloat& value : image) {
        value = std::abs(value);
    }
    return image;
}

template <class Run>
double median_of_three(Run&& run) {
    std::vector<double> seconds{run(), run(), run()};
    std::sort(seconds.begin(), seconds.end());
    return seconds[1];
}

int run(const std::string& program, Index matrix, Index coil_count, double undersampling, int threads) {
    const WorkFolder folder;
    SimulationOptions options;
    options.trajectory = "radial";
    options.coil_count = coil_count;
    options.store_coil_maps = false;
    options.request.matrix_size = {matrix, matrix, 1};
    options.request.undersampling = undersampling;
    const Simulation simulation = simulate_scan(options);
    const Frame& frame = simulation.scan.frames.front();
    const std::vector<cfloat> truth = magnitude(simulation.truth);
    write_scan(simulation.scan, folder / "scan.h5");
    write_cfl(folder / "t", {3, frame.sample_count()}, bart_trajectory(*frame.trajectory));
    write_cfl(folder / "k", {1, frame.sample_count(), 1, coil_count}, frame.kspace);

    // Calibration as BART's own examples do it: low-resolution images by an inverse NUFFT, their k-space, ecalib.
    const std::string bart = fmt::format("export OMP_NUM_THREADS={}; cd {} && bart ", threads, folder / "");
    const double calibration_seconds = median_of_three([&] {
        return seconds_of(bart + "nufft -i -d24:24:1 t k low > /dev/null") + seconds_of(bart + "fft -u 3 low lowk") +
               seconds_of(bart + fmt::format("resize -c 0 {0} 1 {0} lowk calibration", matrix)) +
               seconds_of(bart + "ecalib -m1 -r24 calibration maps > /dev/null");
    });

    nlohmann::json rows = nlohmann::json::array();
    const PerAxis<Index> size{matrix, matrix, 1};
    const auto report = [&](const char* name, int iterations, double seconds, std::vector<cfloat> image) {
        const ImageComparison figures = compare_images(magnitude(std::move(image)), truth, size);
        fmt::print("{:<6} {:3} iterations {:7.2f} s   NRMSE {:.4f}, in the mask {:.4f}, SSIM {:.4f}\n", name,
                   iterations, seconds, figures.nrmse_scaled, figures.nrmse_mask, figures.ssim);
        rows.push_back({{"program", name},
                        {"iterations", iterations},
                        {"seconds", seconds},
                        {"nrmse_scaled", figures.nrmse_scaled},
                        {"nrmse_mask", figures.nrmse_mask},
                        {"ssim", figures.ssim}});
    };
    const auto recon = [&](int iterations) {
        return seconds_of(
            fmt::format("{} --device cpu --threads {} --scan {} --out {} --iterations {} --stop 0 "
                        "--no-accuracy-check --quiet",
                        program, threads, folder / "scan.h5", folder / "image.h5", iterations));
    };
    const auto pics = [&](int iterations) {
        return seconds_of(bart + fmt::format("pics -S -l2 -r0 -i {} -t t k maps b > /dev/null", iterations));
    };
    for (const int iterations : {5, 10, 15, 20, 30}) {
        const double recon_seconds = recon(iterations);
        report("recon", iterations, recon_seconds, H5File::open(folder / "image.h5").read<cfloat>("/image"));
        const double pics_seconds = pics(iterations);
        report("BART", iterations, calibration_seconds + pics_seconds, read_cfl(folder / "b", matrix * matrix));
    }
    const auto best = [&](const char* name) {
        nlohmann::json least;
        for (const nlohmann::json& row : rows) {
            if (row["program"] == name && (least.is_null() || row["nrmse_scaled"] < least["nrmse_scaled"])) {
                least = row;
            }
        }
        return least;
    };
    const nlohmann::json ours = best("recon");
    const nlohmann::json theirs = best("BART");
    const double our_seconds = median_of_three([&] { return recon(ours["iterations"]); });
    const double their_seconds = calibration_seconds + median_of_three([&] { return pics(theirs["iterations"]); });
    const nlohmann::json results = {{"figures", rows},
                                    {"best_nrmse_recon", ours["nrmse_scaled"]},
                                    {"best_nrmse_bart", theirs["nrmse_scaled"]},
                                    {"bart_calibration_seconds", calibration_seconds},
                                    {"median_seconds_recon_at_best", our_seconds},
                                    {"median_seconds_bart_at_best", their_seconds},
                                    {"bart_over_recon_seconds_at_best", their_seconds / our_seconds}};
    fmt::print("{}\n", results.dump(1));
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) {
        fmt::print(stderr, "usage: bench_sense_against_bart RECON [matrix] [coils] [undersampling] [threads]\n");
        return 2;
    }
    if (!bart_is_there()) {
        fmt::print("bench_sense_against_bart: skipped, there is no `bart` on the PATH (Debian package bart)\n");
        return 0;
    }
    const auto argument = [&](int i, double otherwise) { return argc > i ? std::atof(argv[i]) : otherwise; };
    return run(std::filesystem::absolute(argv[1]).string(), static_cast<Index>(argument(2, 256)),
               static_cast<Index>(argument(3, 12)), argument(4, 4), static_cast<int>(argument(5, 2)));
}
