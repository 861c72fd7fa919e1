// Time of a circulant filter of one image, single precision: by its plan, and by FFTs of the whole grid with a product
// between them.
// Usage: bench_circulant [--json] [--device D] [--threads T] [NxNxN ...]

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/backend/backend.hpp"
#include "core/devices/device_choice.hpp"
#include "core/operators/circulant_filter.hpp"
#include "tests/benchmark/support/stopwatch.hpp"
#include "tests/support/random.hpp"

namespace {

using namespace recon;

constexpr double budget_s = 0.5;

struct Options {
    std::vector<PerAxis<Index>> cases;
    std::string device = "cpu";
    int thread_count = 0;
    bool json = false;
};

Options parse(int argument_count, char** arguments) {
    Options options;
    for (int i = 1; i < argument_count; ++i) {
        const std::string argument = arguments[i];
        if (argument == "--json") {
            options.json = true;
        } else if (argument == "--device" && i + 1 < argument_count) {
            options.device = arguments[++i];
        } else if (argument == "--threads" && i + 1 < argument_count) {
            options.thread_count = std::atoi(arguments[++i]);
        } else {
            PerAxis<Index> n{1, 1, 1};
            std::sscanf(argument.c_str(), "%ldx%ldx%ld", &n[0], &n[1], &n[2]);
            options.cases.push_back(n);
        }
    }
    if (options.cases.empty()) {
        options.cases = {{128, 128, 1}, {256, 256, 1}, {64, 64, 64}, {100, 90, 80}, {128, 128, 128}, {192, 192, 192}};
    }
    return options;
}

template <class Work>
double seconds(Backend& backend, const Work& work) {
    return benchmark::shortest_seconds_of(
        [&] {
            work();
            backend.synchronize();
        },
        budget_s);
}

nlohmann::json run(Backend& backend, PerAxis<Index> matrix_size) {
    const Shape image_shape = Shape::image(matrix_size), grid_shape = Shape::image(circulant_grid(matrix_size));
    const auto in_batch = [](ConstArrayView array) { return array.reshaped(array.shape().with_axis("batch", 1)); };
    const Array image = test::random_array(backend, image_shape, Precision::single, 1);
    Array factors(backend, grid_shape, Precision::single), result(backend, image_shape, Precision::single);
    backend.fill(0.5, factors);
    const auto circulant = backend.make_circulant(image_shape, factors, Precision::single);
    const double by_plan_s = seconds(backend, [&] { circulant->apply(image, std::nullopt, result); });

    PaddedFftGeometry geometry{VoxelGrid::image(matrix_size), grid_shape.matrix_size(), {}};
    for (int axis = 0; axis < 3; ++axis) {
        geometry.weight[axis].assign(matrix_size[axis], 1.0);
    }
    const auto fft = backend.make_padded_fft(geometry, Precision::single);
    Array grid(backend, grid_shape.with_axis("batch", 1), Precision::single);
    const double by_ffts_s = seconds(backend, [&] {
        fft->forward(in_batch(image), grid);
        backend.multiply(Conjugate::no, in_batch(factors), grid, Accumulate::no, grid);
        fft->adjoint(grid, result.view().reshaped(image_shape.with_axis("batch", 1)));
    });
    return {{"matrix_size", matrix_size},
            {"grid", grid_shape.matrix_size()},
            {"plan_s", by_plan_s},
            {"ffts_s", by_ffts_s},
            {"ratio", by_ffts_s / by_plan_s}};
}

}  // namespace

int main(int argument_count, char** arguments) {
    const Options options = parse(argument_count, arguments);
    const auto backend = make_backend(options.device, {.thread_count = options.thread_count});
    nlohmann::json rows = nlohmann::json::array();
    fmt::print(stderr, "{}; ms by the plan, by FFTs and a product\n", backend->name());
    for (const PerAxis<Index> n : options.cases) {
        const nlohmann::json& row = rows.emplace_back(run(*backend, n));
        fmt::print(stderr, "{:>14} {:8.3f} {:8.3f}\n", fmt::format("{}x{}x{}", n[0], n[1], n[2]),
                   row["plan_s"].get<double>() * 1e3, row["ffts_s"].get<double>() * 1e3);
    }
    if (options.json) {
        fmt::print("{}\n", nlohmann::json{{"backend", backend->name()}, {"results", rows}}.dump(2));
    }
}
