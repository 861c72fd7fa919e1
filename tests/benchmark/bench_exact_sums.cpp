#include <dlfcn.h>
#include <fmt/format.h>
#include <omp.h>

#include <CLI/CLI.hpp>
#include <Eigen/Core>
#include <algorithm>
#include <chrono>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "core/backend/cpu/cpu_backend.hpp"
#include "core/backend/cpu/exact/exact_cost.hpp"
#include "core/fourier/direct_sums.hpp"
#include "tests/support/random.hpp"

// Exact sums: pairs of sample and voxel per second, the arithmetic rate of the product that they are, and their error,
// beside the matrix product of a library in the same run.

namespace recon {
namespace {

/// Seconds of the fastest of three runs.
double best_seconds(const std::function<void()>& run) {
    double best = 1e300;
    for (int repeat = 0; repeat < 3; ++repeat) {
        const auto start = std::chrono::steady_clock::now();
        run();
        best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    return best;
}

template <class T>
double eigen_gflops(Index size) {
    using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;
    Eigen::setNbThreads(omp_get_max_threads());
    const Matrix a = Matrix::Random(size, size);
    const Matrix b = Matrix::Random(size, size);
    Matrix c(size, size);
    const double seconds = best_seconds([&] { c.noalias() = a * b; });
    Eigen::setNbThreads(1);
    return 2e-9 * static_cast<double>(size * size * size) / seconds;
}

/// The same by OpenBLAS, if it is installed.
std::optional<double> openblas_sgemm_gflops(int size) {
    void* library = dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL);
    void* symbol = library ? dlsym(library, "sgemm_") : nullptr;
    if (!symbol) {
        return std::nullopt;
    }
    const auto sgemm = reinterpret_cast<void (*)(const char*, const char*, const int*, const int*, const int*,
                                                 const float*, const float*, const int*, const float*, const int*,
                                                 const float*, float*, const int*)>(symbol);
    const std::vector<float> a(static_cast<std::size_t>(size) * size, 0.5F);
    const std::vector<float> b = a;
    std::vector<float> c = a;
    const float one = 1;
    const float zero = 0;
    const double seconds = best_seconds(
        [&] { sgemm("N", "N", &size, &size, &size, &one, a.data(), &size, b.data(), &size, &zero, c.data(), &size); });
    return 2e-9 * std::pow(size, 3) / seconds;
}

struct Case {
    std::string name;
    VoxelGrid grid;
    Index sample_count;
    Index batch;
};

/// Relative error at a few hundred elements against the direct sums.
double adjoint_error(const Trajectory& trajectory, const VoxelGrid& grid, ConstArrayView samples,
                     ConstArrayView image) {
    std::mt19937_64 generator(5);
    std::uniform_int_distribution<Index> any(0, grid.shape.element_count() - 1);
    std::vector<Index> voxels(200);
    for (Index& voxel : voxels) {
        voxel = any(generator);
    }
    const std::vector<cdouble> all = download<double>(image);
    std::vector<cdouble> found;
    for (const Index voxel : voxels) {
        found.push_back(all[voxel]);
    }
    return test::relative_difference(found, direct_adjoint_at(trajectory, grid, voxels, download<double>(samples)));
}

double forward_error(const Trajectory& trajectory, const VoxelGrid& grid, ConstArrayView image,
                     ConstArrayView samples) {
    Trajectory chosen;
    std::vector<cdouble> found;
    const std::vector<cdouble> all = download<double>(samples);
    const Index step = std::max<Index>(1, trajectory.sample_count() / 100);
    for (Index m = 0; m < trajectory.sample_count(); m += step) {
        for (int axis = 0; axis < 3; ++axis) {
            chosen.k[axis].push_back(trajectory.k[axis][m]);
        }
        found.push_back(all[m]);
    }
    return test::relative_difference(found, direct_forward(chosen, grid, download<double>(image)));
}

nlohmann::json measure(Backend& backend, const Case& c, Precision precision) {
    const PerAxis<Index> n = c.grid.shape.matrix_size();
    PerAxis<Index> cycles;
    for (int axis = 0; axis < 3; ++axis) {
        cycles[axis] = std::lround(1 / c.grid.spacing[axis]);
    }
    const Trajectory trajectory = test::random_trajectory(c.sample_count, cycles, 1);
    const Shape sample_shape = Shape::samples(c.sample_count).with_axis("coil", c.batch);
    const Array samples = test::random_array(backend, sample_shape, precision, 2);
    Array image(backend, c.grid.shape.with_axis("coil", c.batch), precision);
    Array back(backend, sample_shape, precision);
    const auto sums = backend.make_exact_sums(trajectory, c.grid, precision);
    const double pairs = static_cast<double>(n[0] * n[1] * n[2] * c.batch) * static_cast<double>(c.sample_count);
    const double adjoint_seconds = best_seconds([&] { sums->adjoint(samples, image); });
    const double forward_seconds = best_seconds([&] { sums->forward(image, back); });
    const double predicted = predicted_cpu_exact_seconds(c.grid, c.sample_count, c.batch, precision);
    const auto first_samples = samples.slice(0);
    // two real multiply-adds a pair
    return {{"case", c.name},
            {"precision", name_of(precision)},
            {"samples", c.sample_count},
            {"batch", c.batch},
            {"predicted_seconds", predicted},
            {"adjoint",
             {{"seconds", adjoint_seconds},
              {"pairs_per_second", pairs / adjoint_seconds},
              {"gflops", 4e-9 * pairs / adjoint_seconds},
              {"relative_error", adjoint_error(trajectory, c.grid, first_samples, image.slice(0))}}},
            {"forward",
             {{"seconds", forward_seconds},
              {"pairs_per_second", pairs / forward_seconds},
              {"gflops", 4e-9 * pairs / forward_seconds},
              {"relative_error", forward_error(trajectory, c.grid, image.slice(0), back.slice(0))}}}};
}

int run(int argc, char** argv) {
    CLI::App app("Rate and error of the exact Fourier sums on this processor");
    bool as_json = false;
    Index sample_count = 4096;
    int thread_count = 0;
    app.add_flag("--json", as_json, "print JSON instead of a table");
    app.add_option("--samples", sample_count, "samples of the three-dimensional cases");
    app.add_option("--threads", thread_count, "0 for all cores");
    CLI11_PARSE(app, argc, argv);

    const auto backend = make_cpu_backend(thread_count);
    VoxelGrid half = VoxelGrid::differences({64, 64, 64});
    half.shape = Shape::image({127, 64, 127});
    half.origin[1] = 0;
    const std::vector<Case> cases{
        {"image 128^3", VoxelGrid::image({128, 128, 128}), sample_count, 1},
        {"image 64^3", VoxelGrid::image({64, 64, 64}), 4 * sample_count, 1},
        {"image 64^3, 8 coils", VoxelGrid::image({64, 64, 64}), sample_count, 8},
        {"image 32^3", VoxelGrid::image({32, 32, 32}), 16 * sample_count, 1},
        {"half of Q, 128^3", half, 2 * sample_count, 1},
        {"image 256^2", VoxelGrid::image({256, 256, 1}), 32 * sample_count, 1},
        {"image 220^2, 8 coils", VoxelGrid::image({220, 220, 1}), 4 * sample_count, 8},
        {"image 4096", VoxelGrid::image({4096, 1, 1}), 64 * sample_count, 1},
    };
    nlohmann::json report{{"processor", backend->description()},
                          {"eigen_sgemm_gflops", eigen_gflops<float>(2048)},
                          {"eigen_dgemm_gflops", eigen_gflops<double>(1024)},
                          {"cases", nlohmann::json::array()}};
    if (const auto rate = openblas_sgemm_gflops(2048)) {
        report["openblas_sgemm_gflops"] = *rate;
    }
    for (const Precision precision : {Precision::single, Precision::double_}) {
        for (const Case& c : cases) {
            report["cases"].push_back(measure(*backend, c, precision));
        }
    }
    if (as_json) {
        fmt::print("{}\n", report.dump(2));
        return 0;
    }
    fmt::print("{}\n2048^3 sgemm GFLOP/s: Eigen {:.0f}, OpenBLAS {:.0f}; 1024^3 dgemm: Eigen {:.0f}\n\n",
               report["processor"].get<std::string>(), report["eigen_sgemm_gflops"].get<double>(),
               report.value("openblas_sgemm_gflops", 0.0), report["eigen_dgemm_gflops"].get<double>());
    fmt::print("{:<22}{:>8}{:>10}{:>12}{:>9}{:>9}{:>12}{:>9}{:>9}{:>10}\n", "case", "prec", "samples", "adj pairs/s",
               "GFLOP/s", "error", "fwd pairs/s", "GFLOP/s", "error", "pred/adj");
    for (const auto& c : report["cases"]) {
        const auto& a = c["adjoint"];
        const auto& f = c["forward"];
        fmt::print("{:<22}{:>8}{:>10}{:>12.2e}{:>9.1f}{:>9.1e}{:>12.2e}{:>9.1f}{:>9.1e}{:>10.2f}\n",
                   c["case"].get<std::string>(), c["precision"].get<std::string>(), c["samples"].get<Index>(),
                   a["pairs_per_second"].get<double>(), a["gflops"].get<double>(), a["relative_error"].get<double>(),
                   f["pairs_per_second"].get<double>(), f["gflops"].get<double>(), f["relative_error"].get<double>(),
                   c["predicted_seconds"].get<double>() / a["seconds"].get<double>());
    }
    return 0;
}

}  // namespace
}  // namespace recon

int main(int argc, char** argv) { return recon::run(argc, argv); }
