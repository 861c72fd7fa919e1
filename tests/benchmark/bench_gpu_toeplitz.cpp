// Time of one Toeplitz apply on the GPU: ours beside cuFFT on the whole doubled grid, beside the bytes that must move
// at the rate of a copy, all measured in this run; and the error of the single-precision result against double
// precision. Usage: bench_gpu_toeplitz [--json FILE] [--slab-mb M]... [NxNxN[:coils]]...
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "gpu/backend/gpu_backend.hpp"
#include "gpu/toeplitz/gpu_toeplitz.hpp"
#include "tests/benchmark/support/stopwatch.hpp"

namespace {

using namespace recon;

struct Case {
    PerAxis<Index> n{1, 1, 1};
    Index coil_count = 1;
};

struct Options {
    std::vector<Case> cases;
    std::vector<Index> slab_mb;  ///< further sizes of the slab to try
    std::string json_file;
};

Options parse(int argument_count, char** arguments) {
    Options options;
    for (int i = 1; i < argument_count; ++i) {
        const std::string argument = arguments[i];
        if (argument == "--json" && i + 1 < argument_count) {
            options.json_file = arguments[++i];
        } else if (argument == "--slab-mb" && i + 1 < argument_count) {
            options.slab_mb.push_back(std::atol(arguments[++i]));
        } else {
            Case c;
            const std::size_t colon = argument.find(':');
            std::sscanf(argument.c_str(), "%ldx%ldx%ld", &c.n[0], &c.n[1], &c.n[2]);
            c.coil_count = colon == std::string::npos ? 1 : std::atol(argument.c_str() + colon + 1);
            options.cases.push_back(c);
        }
    }
    if (options.cases.empty()) {
        options.cases = {{{64, 64, 64}, 1},    {{64, 64, 64}, 8},    {{128, 128, 128}, 1}, {{128, 128, 128}, 8},
                         {{256, 256, 256}, 1}, {{192, 192, 192}, 1}, {{220, 220, 150}, 1}, {{256, 256, 1}, 12}};
    }
    return options;
}

/// Median over rounds of the time of one call; the queue runs dry between rounds alone.
template <class Function>
double median_seconds(Backend& gpu, const Function& function) {
    constexpr int round_count = 9;
    constexpr double round_s = 0.02;
    function();  // loads kernels, fills the memory pool
    gpu.synchronize();
    const double once = benchmark::seconds_of([&] {
        function();
        gpu.synchronize();
    });
    const int calls = std::clamp(static_cast<int>(round_s / once), 1, 200);
    std::vector<double> seconds;
    for (int round = 0; round < round_count; ++round) {
        seconds.push_back(benchmark::seconds_of([&] {
                              for (int call = 0; call < calls; ++call) {
                                  function();
                              }
                              gpu.synchronize();
                          }) /
                          calls);
    }
    std::nth_element(seconds.begin(), seconds.begin() + round_count / 2, seconds.end());
    return seconds[round_count / 2];
}

/// Bytes read and written a second by a copy of 1 GB on the device.
double copy_rate(Backend& gpu) {
    const Shape shape{{"n", Index{1} << 27}};
    Array from(gpu, shape, Precision::single);
    Array to(gpu, shape, Precision::single);
    gpu.fill(1, from);
    const double seconds = median_seconds(gpu, [&] { gpu.copy(from, to); });
    return 2.0 * static_cast<double>(shape.element_count() * complex_bytes(Precision::single)) / seconds;
}

Array random_array(Backend& gpu, const Shape& shape, unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<float> normal;
    std::vector<cfloat> values(shape.element_count());
    for (cfloat& value : values) {
        const float real = normal(random);
        value = {real, normal(random)};
    }
    Array array(gpu, shape, Precision::single);
    upload(std::span<const cfloat>(values), array);
    return array;
}

/// Hermitian noise that falls off from the centre, as Q does; speed and rounding do not depend on more.
Array hermitian_kernel(Backend& gpu, const Shape& differences) {
    std::mt19937 random(5);
    std::normal_distribution<float> normal;
    std::vector<cdouble> values(differences.element_count());
    const Index centre = differences.element_count() / 2;
    values[centre] = 1000;
    for (Index i = 1; i <= centre; ++i) {
        const float size = 1 / std::sqrt(static_cast<float>(i));
        const float real = size * normal(random);
        values[centre + i] = {real, size * normal(random)};
        values[centre - i] = std::conj(values[centre + i]);
    }
    Array q(gpu, differences, Precision::double_);
    upload(std::span<const cdouble>(values), q);
    return q;
}

/// |single - double| / |double|, the reference by cuFFT in double precision.
double relative_error(Backend& gpu, ConstArrayView q, ConstArrayView image, ConstArrayView maps,
                      ConstArrayView result) {
    const auto to_double = [&](ConstArrayView from) {
        Array fine(gpu, from.shape(), Precision::double_);
        gpu.copy(from, fine);
        return fine;
    };
    const auto plan = make_cuda_toeplitz(gpu, image.shape(), q, Precision::double_, {.full_grid = true});
    Array reference(gpu, image.shape(), Precision::double_);
    plan->apply(to_double(image), to_double(maps).view(), reference);
    Array difference = to_double(result);
    gpu.axpby(-1, reference, 1, difference);
    return norm(difference) / norm(reference);
}

/// Bytes that must cross the memory bus if the passes along y and z meet in the cache: image, maps and result once,
/// the numbers between the x passes twice written and twice read, the spectrum once.
double bytes_moved(const Case& c) {
    const double voxels = static_cast<double>(c.n[0] * c.n[1] * c.n[2]);
    const double coils = static_cast<double>(c.coil_count);
    double spectrum = 4;
    for (const Index n : c.n) {
        spectrum *= n > 1 ? 2 * static_cast<double>(n) : 1;
    }
    return voxels * (8 + 8 + coils * (2 * 8 + 4 * 16)) + spectrum;
}

nlohmann::json run(Backend& gpu, const Case& c, const Options& options, double bytes_a_second) {
    const Shape shape = Shape::image(c.n);
    const Array q = hermitian_kernel(gpu, VoxelGrid::differences(c.n).shape);
    const Array image = random_array(gpu, shape, 1);
    const Array maps = random_array(gpu, shape.with_axis("coil", c.coil_count), 2);
    Array result(gpu, shape, Precision::single);
    const auto time_of = [&](const GpuToeplitzOptions& plan_options) {
        const auto plan = make_cuda_toeplitz(gpu, shape, q, Precision::single, plan_options);
        return median_seconds(gpu, [&] { plan->apply(image, maps.view(), result); });
    };
    nlohmann::json figures;
    figures["matrix"] = c.n;
    figures["coils"] = c.coil_count;
    figures["full_grid_cufft_ms"] = 1e3 * time_of({.full_grid = true});
    figures["full_grid_error"] = relative_error(gpu, q, image, maps, result);
    for (const Index mb : options.slab_mb) {
        figures["ms_with_slab_of_" + std::to_string(mb) + "_mb"] = 1e3 * time_of({.slab_bytes = mb << 20});
    }
    const double seconds = time_of({});
    figures["ms"] = 1e3 * seconds;
    figures["ms_again"] = 1e3 * time_of({});
    figures["relative_error"] = relative_error(gpu, q, image, maps, result);
    figures["bytes_bound_ms"] = 1e3 * bytes_moved(c) / bytes_a_second;
    figures["times_faster_than_full_grid"] = figures["full_grid_cufft_ms"].get<double>() / (1e3 * seconds);
    return figures;
}

}  // namespace

int main(int argument_count, char** arguments) {
    try {
        const Options options = parse(argument_count, arguments);
        const auto gpu = make_cuda_backend(0);
        nlohmann::json report;
        report["device"] = gpu->description();
        const double bytes_a_second = copy_rate(*gpu);
        report["copy_tb_per_s"] = bytes_a_second / 1e12;
        std::printf("%s\ncopy %.2f TB/s\n", gpu->description().c_str(), bytes_a_second / 1e12);
        for (const Case& c : options.cases) {
            report["cases"].push_back(run(*gpu, c, options, bytes_a_second));
            std::printf("%s\n", report["cases"].back().dump().c_str());
            std::fflush(stdout);
        }
        if (!options.json_file.empty()) {
            std::ofstream(options.json_file) << report.dump(2) << "\n";
        }
        return 0;
    } catch (const Error& error) {
        std::fprintf(stderr, "bench_gpu_toeplitz: %s\n", error.what());
        return EXIT_FAILURE;
    }
}
