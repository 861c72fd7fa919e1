// What a CG iteration costs beside the FFTs that it contains: for each coil, one zero-padded forward FFT and one
// cropped inverse FFT on the doubled grid, timed on their own in the same run.
//
//   bench_cg [--json FILE]
#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <random>

#include "core/backend/cpu/cpu_backend.hpp"
#include "core/backend/cpu/fft/toeplitz_embedding.hpp"
#include "core/operators/encoding.hpp"
#include "core/operators/operator_algebra.hpp"
#include "core/operators/q_kernel.hpp"
#include "core/operators/sampling/nufft.hpp"
#include "data/files/json_writer.hpp"
#include "solver/conjugate_gradient.hpp"

namespace {

using namespace recon;

constexpr int repeats = 5;
constexpr int iterations = 8;

template <class Function>
double median_seconds(Function&& function) {
    function();
    std::vector<double> seconds;
    for (int i = 0; i < repeats; ++i) {
        const auto start = std::chrono::steady_clock::now();
        function();
        seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    std::nth_element(seconds.begin(), seconds.begin() + repeats / 2, seconds.end());
    return seconds[repeats / 2];
}

Array random_array(Backend& backend, const Shape& shape) {
    std::mt19937 generator(1);
    std::normal_distribution<float> normal;
    std::vector<cfloat> values(shape.element_count());
    std::generate(values.begin(), values.end(), [&] { return cfloat(normal(generator), normal(generator)); });
    Array array(backend, shape, Precision::single);
    upload(values, array);
    return array;
}

/// The FFTs of one iteration and no more, `coil_count` times forward and back.
double fft_seconds(Backend& backend, PerAxis<Index> n, Index coil_count) {
    PaddedFftGeometry geometry{VoxelGrid::image(n), {}, {}};
    for (int axis = 0; axis < 3; ++axis) {
        geometry.grid_size[axis] = n[axis] == 1 ? 1 : next_fft_size(2 * n[axis] - 1);
        geometry.weight[axis].assign(n[axis], 1.0);
    }
    const auto fft = backend.make_padded_fft(geometry, Precision::single);
    const Array image = random_array(backend, Shape::image(n).with_axis("batch", 1));
    Array back(backend, image.shape(), Precision::single);
    Array grid(backend, Shape::image(geometry.grid_size).with_axis("batch", 1), Precision::single);
    return static_cast<double>(coil_count) * median_seconds([&] {
               fft->forward(image, grid);
               fft->adjoint(grid, back);
           });
}

nlohmann::json measure(Backend& backend, PerAxis<Index> n, Index coil_count) {
    std::mt19937 generator(2);
    Trajectory trajectory;
    for (int axis = 0; axis < 3; ++axis) {
        std::uniform_real_distribution<double> uniform(-0.5 * static_cast<double>(n[axis]),
                                                       0.5 * static_cast<double>(n[axis]));
        trajectory.k[axis].resize(20000);
        std::generate(trajectory.k[axis].begin(), trajectory.k[axis].end(), [&] { return uniform(generator); });
    }
    const Shape image_shape = Shape::image(n);
    const Array q = compute_q(backend, trajectory, n, {},
                              {.method = SumsMethod::nufft, .tolerance = 1e-6, .precision = Precision::double_});
    Encoding::Parts parts;
    parts.sums = std::make_shared<Nufft>(backend, trajectory, VoxelGrid::image(n), 1e-4, Precision::single);
    parts.coils =
        coil_count == 1
            ? std::make_shared<CoilSensitivity>()
            : std::make_shared<CoilSensitivity>(random_array(backend, image_shape.with_axis("coil", coil_count)));
    parts.toeplitz = backend.make_toeplitz(image_shape, q, Precision::single);
    const Encoding encoding(backend, std::move(parts));
    const Normal normal(encoding);
    const Array b = random_array(backend, image_shape);
    Array x(backend, image_shape, Precision::single);
    Array y(backend, image_shape, Precision::single);

    const double iteration = median_seconds([&] {
                                 backend.fill(0, x);
                                 solve_cg(normal, b, x, {.iterations = iterations});
                             }) /
                             (iterations + 2);  // the first and the last residual cost an operator each
    const double apply = median_seconds([&] { normal.forward(b, y); });
    const double ffts = fft_seconds(backend, n, coil_count);
    fmt::print("{:>18} {:>6} {:>14.2f} {:>14.2f} {:>14.2f} {:>12.2f} {:>12.2f}\n",
               fmt::format("{} x {} x {}", n[0], n[1], n[2]), coil_count, 1e3 * iteration, 1e3 * apply, 1e3 * ffts,
               iteration / ffts, iteration / apply);
    return {{"matrix", n},
            {"coils", coil_count},
            {"iteration_s", iteration},
            {"toeplitz_apply_s", apply},
            {"ffts_s", ffts}};
}

}  // namespace

int main(int argc, char** argv) {
    const auto backend = make_cpu_backend();
    fmt::print("{}\n{:>18} {:>6} {:>14} {:>14} {:>14} {:>12} {:>12}\n", backend->description(), "matrix", "coils",
               "iteration ms", "apply ms", "FFTs ms", "iter / FFTs", "iter / apply");
    nlohmann::json results = nlohmann::json::array();
    for (const auto& [n, coils] : std::vector<std::pair<PerAxis<Index>, Index>>{
             {{64, 64, 64}, 1}, {{64, 64, 64}, 8}, {{128, 128, 128}, 1}, {{128, 128, 128}, 8}, {{256, 256, 1}, 12}}) {
        results.push_back(measure(*backend, n, coils));
    }
    if (argc == 3 && std::strcmp(argv[1], "--json") == 0) {
        write_json(argv[2], {{"benchmark", "bench_cg"}, {"machine", backend->description()}, {"results", results}});
    }
    return 0;
}
