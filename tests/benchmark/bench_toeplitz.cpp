// Time of one Toeplitz apply, single precision: ours beside FFTW on the whole embedding grid, beside the FFT arithmetic
// alone (the same transforms on numbers that never leave the cache) and beside a plain copy.
// Usage: bench_toeplitz [--json] [--threads T] [--no-fftw] [--cpu-time] [NxNxN[:coils] ...]

#include <fmt/format.h>
#include <omp.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "core/backend/cpu/cpu_backend.hpp"
#include "core/backend/cpu/fft/batched_fft.hpp"
#include "core/backend/cpu/fft/toeplitz_embedding.hpp"
#include "core/base/cpu_memory.hpp"
#include "tests/benchmark/support/fftw_reference.hpp"
#include "tests/benchmark/support/stopwatch.hpp"

namespace {

using namespace recon;

struct Case {
    PerAxis<Index> n{1, 1, 1};
    Index coil_count = 1;
};

struct Options {
    std::vector<Case> cases;
    int thread_count = 2;
    bool json = false;
    bool fftw = true;
};

Options parse(int argument_count, char** arguments) {
    Options options;
    for (int i = 1; i < argument_count; ++i) {
        const std::string argument = arguments[i];
        if (argument == "--json") {
            options.json = true;
        } else if (argument == "--no-fftw") {
            options.fftw = false;
        } else if (argument == "--cpu-time") {
            benchmark::count_processor_time = true;
        } else if (argument == "--threads" && i + 1 < argument_count) {
            options.thread_count = std::atoi(arguments[++i]);
        } else {
            Case c;
            const std::size_t colon = argument.find(':');
            std::sscanf(argument.c_str(), "%ldx%ldx%ld", &c.n[0], &c.n[1], &c.n[2]);
            c.coil_count = colon == std::string::npos ? 1 : std::atol(argument.c_str() + colon + 1);
            options.cases.push_back(c);
        }
    }
    if (options.cases.empty()) {
        options.cases = {{{64, 64, 64}, 1},    {{96, 96, 96}, 1},   {{128, 128, 128}, 1}, {{64, 64, 64}, 8},
                         {{128, 128, 128}, 4}, {{256, 256, 1}, 12}, {{300, 300, 1}, 12}};
    }
    return options;
}

/// A positive spectrum would come from a trajectory; speed and rounding do not depend on it. Hermitian noise that
/// falls off from the centre, as Q does.
void fill_hermitian(Array& q) {
    std::mt19937 random(5);
    std::normal_distribution<float> normal;
    with_precision(q.precision(), [&](auto tag) {
        using S = decltype(tag);
        std::complex<S>* values = q.view().data<S>();
        const Index centre = q.size() / 2;
        values[centre] = static_cast<S>(1000);
        for (Index i = 1; i <= centre; ++i) {
            const float size = 1 / std::sqrt(static_cast<float>(i));
            const std::complex<S> value(size * normal(random), size * normal(random));
            values[centre + i] = value;
            values[centre - i] = std::conj(value);
        }
    });
}

/// Spectrum in natural order, as the FFTW comparison wants it.
std::vector<float> natural_order(const ToeplitzEmbedding& embedding, ConstArrayView q) {
    CpuBuffer<float> ordered(embedding.spectrum_size());
    make_toeplitz_spectrum(embedding, q, ordered.data());
    const PerAxis<Index>& length = embedding.length;
    const BatchedFft<float> rows(length[0]), planes(length[1]), columns(length[2]);
    std::vector<float> natural(length[0] * length[1] * length[2]);
    for (Index x = 0; x < length[0]; ++x) {
        for (Index y = 0; y < length[1]; ++y) {
            for (Index z = 0; z < length[2]; ++z) {
                const Index block = x / embedding.lanes, lane = x % embedding.lanes;
                natural[(columns.frequency_at(z) * length[1] + planes.frequency_at(y)) * length[0] +
                        rows.frequency_at(x)] =
                    ordered.data()[((block * length[1] + y) * length[2] + z) * embedding.lanes + lane];
            }
        }
    }
    return natural;
}

/// All transforms of one apply on numbers in the cache.
double arithmetic_seconds(const ToeplitzEmbedding& e, Index coil_count) {
    const PerAxis<Index> pencils{e.image[1] * e.image[2], e.block_count * e.lanes * e.image[2],
                                 e.block_count * e.lanes * e.length[1]};
    double total = 0;
    for (int axis = 0; axis < 3; ++axis) {
        if (e.length[axis] == 1) {
            continue;
        }
        const BatchedFft<float> fft(e.length[axis]);
        const Index groups = (pencils[axis] + e.lanes - 1) / e.lanes * coil_count;
        const Index stride = e.length[axis] + 1;
        CpuBuffer<ComplexLanes<float>> buffers(stride * omp_get_max_threads());
        std::fill_n(buffers.data(), buffers.size(), ComplexLanes<float>{});
        CpuBuffer<Lanes<float>> factor(e.length[axis]);
        std::fill_n(factor.data(), factor.size(), Lanes<float>{});
        total += benchmark::shortest_seconds_of(
            [&] {
#pragma omp parallel for schedule(static)
                for (Index group = 0; group < groups; ++group) {
                    ComplexLanes<float>* buffer = buffers.data() + stride * omp_get_thread_num();
                    fft.convolve(
                        buffer, fft.part_for(e.image[axis]), [&](Index i) { return buffer[i]; }, factor.data(),
                        [&](Index i, ComplexLanes<float> value) { buffer[i] = value; });
                }
            },
            0.2);
    }
    return total;
}

/// Bytes read and written a second by copying 256 MB with all threads.
double copy_rate() {
    constexpr Index size = Index{1} << 27;
    CpuBuffer<char> from(size), to(size);
    std::memset(from.data(), 1, size);
    std::memset(to.data(), 1, size);
    constexpr Index piece = Index{1} << 20;
    const double seconds = benchmark::shortest_seconds_of(
        [&] {
#pragma omp parallel for schedule(static)
            for (Index i = 0; i < size; i += piece) {
                std::memcpy(to.data() + i, from.data() + i, piece);
            }
        },
        0.3);
    return 2.0 * static_cast<double>(size) / seconds;
}

/// Bytes that must cross the memory bus if only the blocks of one pass stay in the cache.
double bytes_moved(const ToeplitzEmbedding& e, Index coil_count) {
    const double image = 8.0 * static_cast<double>(e.image_size());
    const double middle = 8.0 * static_cast<double>(e.middle_size());
    const double spectrum = 4.0 * static_cast<double>(e.spectrum_size());
    return static_cast<double>(coil_count) * (2 * image + 4 * middle) + spectrum;
}

double flop_count(const ToeplitzEmbedding& e, Index coil_count) {
    const double pencils[3] = {static_cast<double>(e.image[1] * e.image[2]),
                               static_cast<double>(e.length[0] * e.image[2]),
                               static_cast<double>(e.length[0] * e.length[1])};
    double flops = 0;
    for (int axis = 0; axis < 3; ++axis) {
        const double n = static_cast<double>(e.length[axis]);
        flops += 2 * pencils[axis] * 5 * n * std::log2(n);
    }
    return flops * static_cast<double>(coil_count);
}

double relative_difference(const std::vector<cdouble>& x, const std::vector<cdouble>& reference) {
    double difference = 0, size = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        difference += std::norm(x[i] - reference[i]);
        size += std::norm(reference[i]);
    }
    return std::sqrt(difference / size);
}

nlohmann::json run(const Case& c, const Options& options, Backend& backend) {
    const Shape shape = Shape::image(c.n);
    const Index voxel_count = shape.element_count();
    const bool large = voxel_count > 160 * 160 * 160;
    const ToeplitzEmbedding embedding(shape, Precision::single);
    Array q(backend, VoxelGrid::differences(c.n).shape, large ? Precision::single : Precision::double_);
    fill_hermitian(q);

    std::mt19937 random(1);
    std::normal_distribution<float> normal;
    std::vector<cfloat> numbers(voxel_count);
    const auto fill = [&](ArrayView array) {
        for (cfloat& value : numbers) {
            value = {normal(random), normal(random)};
        }
        upload(numbers, array);
    };
    Array maps(backend, shape.with_axis("coil", c.coil_count), Precision::single);
    for (Index coil = 0; coil < c.coil_count; ++coil) {
        fill(maps.slice(coil));
    }
    Array image(backend, shape, Precision::single), result(backend, shape, Precision::single);
    fill(image);
    const std::optional<ConstArrayView> coil_maps =
        c.coil_count > 1 ? std::optional<ConstArrayView>(maps.view()) : std::nullopt;

    std::unique_ptr<ToeplitzPlan> plan;
    const double plan_s = benchmark::seconds_of([&] { plan = backend.make_toeplitz(shape, q, Precision::single); });
    const double apply_s = benchmark::shortest_seconds_of([&] { plan->apply(image, coil_maps, result); }, 1.0);
    const double arithmetic_s = arithmetic_seconds(embedding, c.coil_count);
    const double copy = copy_rate();

    double error = NAN;
    if (!large) {
        const auto single = download<double>(result);
        Array fine_image(backend, shape, Precision::double_), fine_result(backend, shape, Precision::double_);
        Array fine_maps(backend, maps.shape(), Precision::double_);
        backend.copy(image, fine_image);
        backend.copy(maps, fine_maps);
        backend.make_toeplitz(shape, q, Precision::double_)
            ->apply(fine_image, c.coil_count > 1 ? std::optional<ConstArrayView>(fine_maps.view()) : std::nullopt,
                    fine_result);
        error = relative_difference(single, download<double>(fine_result));
    }

    double fftw_s = NAN, fftw_again_s = NAN;
    if (options.fftw) {
        PerAxis<Index> extents = embedding.image;
        if (auto fftw = benchmark::make_fftw_convolution(extents, embedding.length, natural_order(embedding, q),
                                                         options.thread_count)) {
            std::vector<cfloat> output(voxel_count);
            // one coil, without its maps; alternating with ours, because other processes come and go
            fftw_s = benchmark::shortest_seconds_of([&] { fftw->apply(numbers.data(), output.data()); }, 1.0);
            fftw_again_s = benchmark::shortest_seconds_of([&] { plan->apply(image, coil_maps, result); }, 0.5);
            fftw_s *= static_cast<double>(c.coil_count);
        }
    }
    const double best = std::isnan(fftw_again_s) ? apply_s : std::min(apply_s, fftw_again_s);
    const double bytes = bytes_moved(embedding, c.coil_count), flops = flop_count(embedding, c.coil_count);
    fmt::print(stderr,
               "{:>14} {:>5} {:>11} {:8.2f} {:9.2f} {:9.2f} {:8.2f} {:8.1f} {:8.1f} {:9.2f} {:6.1f} {:9.1e} {:7.2f}\n",
               fmt::format("{}x{}x{}", c.n[0], c.n[1], c.n[2]), c.coil_count,
               fmt::format("{}x{}x{}", embedding.length[0], embedding.length[1], embedding.length[2]), best * 1e3,
               arithmetic_s * 1e3, bytes / copy * 1e3, best / (arithmetic_s + bytes / copy), bytes / best / 1e9,
               flops / best / 1e9, fftw_s * 1e3, fftw_s / best, error, plan_s);
    return {{"matrix_size", c.n},
            {"coils", c.coil_count},
            {"embedding", embedding.length},
            {"apply_s", best},
            {"arithmetic_s", arithmetic_s},
            {"copy_bytes_per_s", copy},
            {"bytes", bytes},
            {"flops", flops},
            {"fftw_full_grid_s", fftw_s},
            {"relative_error", error},
            {"plan_s", plan_s},
            {"threads", options.thread_count}};
}

}  // namespace

int main(int argument_count, char** arguments) {
    const Options options = parse(argument_count, arguments);
    const auto backend = make_cpu_backend(options.thread_count);
    fmt::print(stderr, "{}; {} lanes; times in ms\n", backend->description(), lane_count<float>);
    fmt::print(stderr, "{:>14} {:>5} {:>11} {:>8} {:>9} {:>9} {:>8} {:>8} {:>8} {:>9} {:>6} {:>9} {:>7}\n", "matrix",
               "coils", "embedding", "apply", "FFT only", "bytes", "of both", "GB/s", "Gflop/s", "FFTW full", "ratio",
               "error", "plan s");
    nlohmann::json rows;
    for (const Case& c : options.cases) {
        rows.push_back(run(c, options, *backend));
    }
    if (options.json) {
        fmt::print("{}\n", rows.dump(2));
    }
}
