// A multi-coil reconstruction on 1, 2, 4, ... GPUs of one host, from arrays in memory to image: seconds of the stages
// (medians), speed-up and efficiency against one GPU, how far the images are apart, and how far from the object. The
// last two say the same of every number of GPUs: CG amplifies the rounding of sums in another order, and the image is
// as good.
//
//   bench_multi_gpu [--size 256] [--coils 32] [--readouts 16384] [--iterations 30] [--repeats 3] [--json FILE]
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <random>

#include "app/reconstruction/reconstruction.hpp"
#include "core/base/error.hpp"
#include "core/base/log.hpp"
#include "core/base/median.hpp"
#include "core/devices/device_choice.hpp"
#include "core/operators/sampling/nufft.hpp"
#include "core/parallel/run_ranks.hpp"
#include "data/files/json_writer.hpp"
#include "data/simulation/trajectories/trajectory_design.hpp"
#include "gpu/backend/gpu_backend.hpp"
#include "gpu/device/device_count.hpp"

namespace {

using namespace recon;
using Clock = std::chrono::steady_clock;

struct Options {
    Index size = 256;
    Index coil_count = 32;
    Index readout_count = 16384;
    int iterations = 30;
    int repeats = 3;
    std::string json_path;
};

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// A Gaussian, two fields of view wide, with a phase that turns once over the volume, about a point on the edge.
std::vector<cfloat> smooth_maps(Index n, Index coil_count) {
    std::vector<cfloat> maps(n * n * n * coil_count);
    for (Index coil = 0; coil < coil_count; ++coil) {
        const double turn = 2 * pi * static_cast<double>(coil) / static_cast<double>(coil_count);
        const PerAxis<double> centre{0.5 * std::cos(turn), 0.5 * std::sin(turn), 0.4 * std::sin(3 * turn)};
        PerAxis<std::vector<cfloat>> factor;
        for (int axis = 0; axis < 3; ++axis) {
            for (Index i = 0; i < n; ++i) {
                const double r = static_cast<double>(i - n / 2) / static_cast<double>(n) - centre[axis];
                factor[axis].push_back(cfloat(std::polar(std::exp(-2 * r * r), pi * r)));
            }
        }
        cfloat* map = maps.data() + coil * n * n * n;
        for (Index z = 0; z < n; ++z) {
            for (Index y = 0; y < n; ++y) {
                const cfloat row = factor[2][z] * factor[1][y];
                for (Index x = 0; x < n; ++x) {
                    *map++ = row * factor[0][x];
                }
            }
        }
    }
    return maps;
}

/// A ball with a texture.
std::vector<cfloat> object(Index n) {
    std::vector<cfloat> image;
    image.reserve(n * n * n);
    const auto r = [&](Index i) { return static_cast<double>(i - n / 2) / static_cast<double>(n); };
    for (Index z = 0; z < n; ++z) {
        for (Index y = 0; y < n; ++y) {
            for (Index x = 0; x < n; ++x) {
                const bool inside = r(x) * r(x) + r(y) * r(y) + r(z) * r(z) < 0.18;
                const double texture = std::cos(40 * r(x)) * std::cos(30 * r(y) + 20 * r(z));
                image.emplace_back(inside ? static_cast<float>(1 + 0.3 * texture) : 0.0F);
            }
        }
    }
    return image;
}

/// A 3-D radial scan of the object: the product's own forward operator, and noise of a hundredth of the data.
Scan make_scan(Backend& gpu, const std::vector<cfloat>& truth, const Options& options) {
    const Index n = options.size;
    Scan scan;
    scan.geometry.matrix_size = {n, n, n};
    scan.coil_count = options.coil_count;
    scan.coil_maps = smooth_maps(n, options.coil_count);
    TrajectoryRequest request;
    request.matrix_size = scan.geometry.matrix_size;
    request.readout_oversampling = 1;
    request.readouts = options.readout_count;
    Frame frame;
    frame.trajectory = std::make_shared<Trajectory>(design_trajectory("radial", request).trajectory);
    const Index sample_count = frame.sample_count();
    frame.kspace.resize(sample_count * options.coil_count);

    const Nufft sums(gpu, *frame.trajectory, VoxelGrid::image(scan.geometry.matrix_size), 1e-6, Precision::single);
    Array image(gpu, sums.grid().shape, Precision::single);
    Array map(gpu, sums.grid().shape, Precision::single);
    Array samples(gpu, Shape::samples(sample_count), Precision::single);
    std::minstd_rand generator(1);
    for (Index coil = 0; coil < options.coil_count; ++coil) {
        upload(truth, image);
        upload(std::span(scan.coil_maps).subspan(coil * image.size(), image.size()), map);
        gpu.multiply(Conjugate::no, map, image, Accumulate::no, image);
        sums.forward(image, samples);
        const std::span<cfloat> kspace = std::span(frame.kspace).subspan(coil * sample_count, sample_count);
        download(samples, kspace);
        const double rms = norm(samples) / std::sqrt(static_cast<double>(sample_count));
        std::uniform_real_distribution<float> noise(-0.01F * static_cast<float>(rms), 0.01F * static_cast<float>(rms));
        for (cfloat& value : kspace) {
            value += cfloat(noise(generator), noise(generator));
        }
    }
    scan.frames.push_back(std::move(frame));
    return scan;
}

/// Seconds of one reduction of an image.
double all_reduce_seconds(const Team& team, const Options& options) {
    constexpr int rounds = 10;
    double seconds = 0;
    run_ranks(team.ranks, [&](Communicator& rank) {
        Backend& backend = team.backend_of(rank);
        Array image(backend, Shape::image({options.size, options.size, options.size}), Precision::single);
        backend.fill(1, image);
        std::vector<double> of_round;
        for (int round = 0; round < rounds; ++round) {
            backend.synchronize();
            rank.sum(0);  // all start together
            const auto start = Clock::now();
            rank.all_reduce_sum(image);
            backend.synchronize();
            of_round.push_back(seconds_since(start));
        }
        if (rank.rank() == 0) {
            seconds = median(of_round);
        }
    });
    return seconds;
}

struct Measured {
    double total_s = 0;
    std::map<std::string, double> stage_s;
    std::vector<cfloat> image;
    double iterations = 0;
};

Measured measure(Scan& scan, const Team& team, const Options& options) {
    ReconstructOptions reconstruct_options;
    reconstruct_options.cg = {.iterations = options.iterations, .stop = 0};
    reconstruct_options.measure_accuracy = false;
    Measured result;
    std::vector<double> totals;
    std::map<std::string, std::vector<double>> stages;
    for (int run = 0; run <= options.repeats; ++run) {
        RunControl control;
        const auto start = Clock::now();
        auto frames = reconstruct(scan, team, reconstruct_options, control);
        if (run > 0) {  // the first one loads kernels and connects the GPUs
            totals.push_back(seconds_since(start));
            for (const auto& [stage, cost] : control.stages.costs()) {
                stages[std::string(name_of(stage))].push_back(cost.seconds);
            }
        }
        result.iterations = frames.front().cg.iterations;
        result.image = std::move(frames.front().image);
    }
    result.total_s = median(totals);
    for (const auto& [stage, seconds] : stages) {
        result.stage_s[stage] = median(seconds);
    }
    return result;
}

double relative_difference(const std::vector<cfloat>& a, const std::vector<cfloat>& reference) {
    double difference = 0;
    double size = 0;
    for (std::size_t i = 0; i < reference.size(); ++i) {
        difference += std::norm(cdouble(a[i]) - cdouble(reference[i]));
        size += std::norm(cdouble(reference[i]));
    }
    return std::sqrt(difference / size);
}

void run(const Options& options) {
    const int device_count = cuda_device_count();
    set_log_level(LogLevel::warning);
    const std::vector<cfloat> truth = object(options.size);
    Scan scan = make_scan(*make_cuda_backend(0), truth, options);
    fmt::print("{}^3 voxels, {} coils, {} samples each, {} iterations\n", options.size, options.coil_count,
               scan.frames.front().sample_count(), options.iterations);
    fmt::print("{:>5} {:>9} {:>9} {:>12} {:>9} {:>12} {:>12} {:>9}\n", "GPUs", "total s", "speed-up", "CG ms/iter",
               "speed-up", "reduce ms", "difference", "error");
    nlohmann::json rows = nlohmann::json::array();
    Measured one;
    std::string device = "cuda:0";
    std::string description;
    for (int gpus = 1; gpus <= device_count; gpus *= 2) {
        const Team team = make_team(device);
        description = team.first().description();
        const Measured many = measure(scan, team, options);
        if (gpus == 1) {
            one = many;
        }
        const double iteration_s = many.stage_s.at("cg") / many.iterations;
        const double cg_speed_up = one.stage_s.at("cg") / many.stage_s.at("cg");
        const double difference = relative_difference(many.image, one.image);
        const double error = relative_difference(many.image, truth);
        const double reduce_s = all_reduce_seconds(team, options);
        fmt::print("{:>5} {:>9.3f} {:>9.2f} {:>12.2f} {:>9.2f} {:>12.3f} {:>12.1e} {:>9.4f}\n", gpus, many.total_s,
                   one.total_s / many.total_s, 1e3 * iteration_s, cg_speed_up, 1e3 * reduce_s, difference, error);
        rows.push_back({{"gpus", gpus},
                        {"total_s", many.total_s},
                        {"speed_up", one.total_s / many.total_s},
                        {"efficiency", one.total_s / many.total_s / gpus},
                        {"cg_iteration_ms", 1e3 * iteration_s},
                        {"cg_speed_up", cg_speed_up},
                        {"cg_efficiency", cg_speed_up / gpus},
                        {"all_reduce_ms", 1e3 * reduce_s},
                        {"image_difference", difference},
                        {"image_error", error},
                        {"stage_s", many.stage_s}});
        for (int next = gpus; next < 2 * gpus; ++next) {
            device += fmt::format(",{}", next);
        }
    }
    for (const auto& row : rows) {
        fmt::print("{} GPUs, seconds: {}\n", row["gpus"].get<int>(), row["stage_s"].dump());
    }
    if (!options.json_path.empty()) {
        write_json(options.json_path, {{"matrix", fmt::format("{0} x {0} x {0}", options.size)},
                                       {"coils", options.coil_count},
                                       {"samples", scan.frames.front().sample_count()},
                                       {"iterations", options.iterations},
                                       {"device", fmt::format("{} GPUs of one host, {}", device_count, description)},
                                       {"rows", rows}});
    }
}

}  // namespace

int main(int argc, char** argv) {
    Options options;
    CLI::App app("Multi-coil reconstruction on several GPUs");
    app.add_option("--size", options.size);
    app.add_option("--coils", options.coil_count);
    app.add_option("--readouts", options.readout_count);
    app.add_option("--iterations", options.iterations);
    app.add_option("--repeats", options.repeats)->check(CLI::PositiveNumber);
    app.add_option("--json", options.json_path);
    CLI11_PARSE(app, argc, argv);
    try {
        run(options);
        return 0;
    } catch (const Error& error) {
        fmt::print(stderr, "bench_multi_gpu: {}\n", error.what());
        return EXIT_FAILURE;
    }
}
