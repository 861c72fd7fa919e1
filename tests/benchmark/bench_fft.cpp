// One-dimensional FFTs of many pencils in the cache, single precision, one thread: BatchedFft beside FFTW.
// Usage: bench_fft [--json] [length ...]

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>
#include <vector>

#include "core/backend/cpu/fft/batched_fft.hpp"
#include "core/base/cpu_memory.hpp"
#include "tests/benchmark/support/fftw_reference.hpp"
#include "tests/benchmark/support/stopwatch.hpp"

namespace {

using namespace recon;
using Complex = ComplexLanes<float>;

constexpr int repetitions = 200;
constexpr double budget_s = 0.15;

/// Seconds for one pencil; numbers stay in [length][lane] order in the cache.
double batched_seconds(const BatchedFft<float>& fft, Complex* pencils) {
    return benchmark::shortest_seconds_of(
               [&] {
                   for (int i = 0; i < repetitions; ++i) {
                       fft.forward(
                           pencils, butterfly::Part::all, [&](Index j) { return pencils[j]; },
                           [&](Index p, Complex value) { pencils[p] = value; });
                   }
               },
               budget_s) /
           repetitions / lane_count<float>;
}

double fftw_seconds(benchmark::FftwPencils& fftw) {
    return benchmark::shortest_seconds_of(
               [&] {
                   for (int i = 0; i < repetitions; ++i) {
                       fftw.forward();
                   }
               },
               budget_s) /
           repetitions / lane_count<float>;
}

}  // namespace

int main(int argument_count, char** arguments) {
    std::vector<Index> lengths;
    bool json = false;
    for (int i = 1; i < argument_count; ++i) {
        if (std::strcmp(arguments[i], "--json") == 0) {
            json = true;
        } else {
            lengths.push_back(std::atol(arguments[i]));
        }
    }
    if (lengths.empty()) {
        lengths = {16,  32,  48,  64,  96,  100, 120, 128, 144, 150, 160, 192, 240,
                   250, 256, 300, 360, 375, 384, 480, 512, 600, 625, 720, 768, 1024};
    }
    nlohmann::json rows;
    fmt::print(stderr, "{} lanes; times of one pencil; flops counted as 5 n log2 n\n", lane_count<float>);
    fmt::print(stderr, "{:>6} {:>10} {:>9} {:>14} {:>15} {:>8} {:>12}\n", "n", "ours ns", "Gflop/s", "FFTW rows ns",
               "FFTW lanes ns", "ratio", "cost unit ns");
    for (const Index n : lengths) {
        const BatchedFft<float> fft(n);
        CpuBuffer<Complex> pencils(n);
        std::fill_n(pencils.data(), n, Complex{});
        const double ours = batched_seconds(fft, pencils.data());
        const double flops = 5 * static_cast<double>(n) * std::log2(static_cast<double>(n));
        const auto rows_plan = benchmark::make_fftw_pencils(n, lane_count<float>, benchmark::PencilLayout::contiguous);
        const auto lanes_plan =
            benchmark::make_fftw_pencils(n, lane_count<float>, benchmark::PencilLayout::interleaved);
        const double in_rows = rows_plan ? fftw_seconds(*rows_plan) : NAN;
        const double in_lanes = lanes_plan ? fftw_seconds(*lanes_plan) : NAN;
        fmt::print(stderr, "{:6} {:10.1f} {:9.1f} {:14.1f} {:15.1f} {:8.2f} {:12.4f}\n", n, ours * 1e9,
                   flops / ours / 1e9, in_rows * 1e9, in_lanes * 1e9, std::min(in_rows, in_lanes) / ours,
                   ours * 1e9 / fft_cost(n));
        rows.push_back({{"length", n}, {"batched_s", ours}, {"fftw_rows_s", in_rows}, {"fftw_lanes_s", in_lanes}});
    }
    if (json) {
        fmt::print("{}\n", rows.dump(2));
    }
}
