// What the cache of Q and the reading of frames on demand are worth.
//
// Rows "q": seconds to compute Q, to compute and keep it, and to read it again, with the file in the system's memory
// and after it was dropped from there. Rows "series": the program on series of frames on one trajectory: seconds of a
// whole run without cache, with an empty one and with a full one, seconds a frame, and the largest resident size.
//
//   bench_series [--recon build/recon] [--frames 20] [--size 64] [--coils 8] [--iterations 10] [--json FILE]
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "app/reconstruction/problem/cached_q.hpp"
#include "core/backend/cpu/cpu_backend.hpp"
#include "core/base/log.hpp"
#include "data/files/json_writer.hpp"
#include "data/formats/mrd/mrd_writer.hpp"
#include "data/formats/recon_h5/recon_hdf5_writer.hpp"
#include "data/simulation/simulate_scan.hpp"

namespace {

using namespace recon;
namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

struct Options {
    std::string program = "build/recon";
    Index frame_count = 20;
    Index size = 64;
    Index coil_count = 8;
    int iterations = 10;
    std::string json_path;
};

template <class Function>
double seconds_of(Function&& function) {
    const auto start = Clock::now();
    function();
    return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Makes the next read of the files in a folder come from the disk.
void drop_from_memory(const fs::path& folder) {
    for (const auto& entry : fs::directory_iterator(folder)) {
        const int file = ::open(entry.path().c_str(), O_RDONLY);
        if (file < 0 || ::fsync(file) != 0 || ::posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED) != 0) {
            throw std::runtime_error("cannot drop " + entry.path().string());
        }
        ::close(file);
    }
}

Scan simulated(PerAxis<Index> matrix, Index coil_count) {
    SimulationOptions options;
    options.request.matrix_size = matrix;
    options.coil_count = coil_count;
    return simulate_scan(options).scan;
}

nlohmann::json measure_q(PerAxis<Index> matrix, const fs::path& folder) {
    const Scan scan = simulated(matrix, 1);
    const Trajectory& trajectory = *scan.frames.front().trajectory;
    const auto backend = make_cpu_backend(0);
    const SumsOptions options{SumsMethod::automatic, 1e-6, Precision::double_};
    SumsChoice choice = choose_q_sums(*backend, trajectory.sample_count(), matrix, options);
    const double predicted_s = choice.seconds;
    const std::size_t bytes = half_of_differences(matrix).shape.element_count() * sizeof(cdouble);
    const auto seconds_with = [&](const DiskCacheOptions& cache) {
        return seconds_of([&] {
            cached_q(cache, *backend, trajectory, matrix, {}, choice, options, only_rank());
            backend->synchronize();
        });
    };
    seconds_with({});  // threads and tables are there afterwards
    const double computed_s = seconds_with({});
    choice.seconds = 1e6;  // keep it, whatever the prediction says
    const DiskCacheOptions cache{folder.string(), std::size_t{20'000'000'000}};
    const double stored_s = seconds_with(cache);
    const double read_s = seconds_with(cache);
    drop_from_memory(folder);
    const double read_from_disk_s = seconds_with(cache);
    fs::remove_all(folder);
    return {{"what", "q"},
            {"matrix", fmt::format("{} x {} x {}", matrix[0], matrix[1], matrix[2])},
            {"samples", trajectory.sample_count()},
            {"megabytes", static_cast<double>(bytes) / 1e6},
            {"computed_s", computed_s},
            {"stored_s", stored_s},
            {"read_s", read_s},
            {"read_from_disk_s", read_from_disk_s},
            {"kept", predicted_s > predicted_cache_seconds(bytes + 32 * trajectory.sample_count())}};
}

void write_series(Scan scan, Index frame_count, const std::string& format, const std::string& path) {
    const Frame first = std::move(scan.frames.front());
    scan.frames.assign(static_cast<std::size_t>(frame_count), first);
    for (Index i = 0; i < frame_count; ++i) {
        scan.frames[static_cast<std::size_t>(i)].label.repetition = i;
    }
    format == "mrd" ? write_mrd(scan, path) : write_scan(scan, path);
}

nlohmann::json run_program(const Options& options, const fs::path& folder, const std::string& arguments) {
    const std::string command =
        fmt::format("{} --device cpu --quiet --scan {} --out {} --json {} --no-accuracy-check --iterations {} {}",
                    options.program, (folder / "scan.h5").string(), (folder / "image.h5").string(),
                    (folder / "run.json").string(), options.iterations, arguments);
    if (std::system(command.c_str()) != 0) {
        throw std::runtime_error("failed: " + command);
    }
    std::ifstream file(folder / "run.json");
    return nlohmann::json::parse(file);
}

std::vector<nlohmann::json> measure_series(const Options& options, const Scan& scan, Index frame_count,
                                           const std::string& format, const fs::path& folder) {
    write_series(scan, frame_count, format, (folder / "scan.h5").string());
    std::vector<nlohmann::json> rows;
    const std::string cache = "--cache " + (folder / "q").string();
    for (const auto& [name, arguments] :
         {std::pair<std::string, std::string>{"none", "--no-cache"}, {"empty", cache}, {"full", cache}}) {
        const nlohmann::json record = run_program(options, folder, arguments);
        const double total_s = record["seconds"]["total"];
        rows.push_back(
            {{"what", "series"},
             {"format", format},
             {"matrix", fmt::format("{0} x {0} x {0}", options.size)},
             {"coils", options.coil_count},
             {"frames", frame_count},
             {"frame_megabytes", static_cast<double>(scan.frames.front().kspace.size() * sizeof(cfloat)) / 1e6},
             {"cache", name},
             {"q", record["q"]},
             {"q_s", record["seconds"]["q"]},
             {"read_s", record["seconds"]["read"]},
             {"total_s", total_s},
             {"seconds_a_frame", total_s / static_cast<double>(frame_count)},
             {"peak_megabytes", record["memory_peak_bytes"].get<double>() / 1e6}});
    }
    fs::remove_all(folder / "q");
    return rows;
}

void run(const Options& options) {
    set_log_level(LogLevel::warning);
    const fs::path folder = fs::temp_directory_path() / fmt::format("bench-series-{}", ::getpid());
    fs::create_directories(folder);
    nlohmann::json result{{"benchmark", "bench_series"}, {"machine", make_cpu_backend(0)->description()}};
    const auto keep = [&](const nlohmann::json& row) {
        fmt::print("{}\n", row.dump());
        result["rows"].push_back(row);
    };
    for (const PerAxis<Index> matrix :
         {PerAxis<Index>{128, 128, 1}, {256, 256, 1}, {32, 32, 32}, {64, 64, 64}, {128, 128, 128}}) {
        keep(measure_q(matrix, folder / "q"));
    }
    const Scan scan = simulated({options.size, options.size, options.size}, options.coil_count);
    for (const char* format : {"recon", "mrd"}) {
        for (const Index frame_count : {options.frame_count / 5, options.frame_count, 2 * options.frame_count}) {
            for (const nlohmann::json& row : measure_series(options, scan, frame_count, format, folder)) {
                keep(row);
            }
        }
    }
    fs::remove_all(folder);
    if (!options.json_path.empty()) {
        write_json(options.json_path, result);
    }
}

}  // namespace

int main(int argc, char** argv) {
    Options options;
    CLI::App app("Series of frames and the cache of Q");
    app.add_option("--recon", options.program)->capture_default_str();
    app.add_option("--frames", options.frame_count)->check(CLI::Range(5, 1000))->capture_default_str();
    app.add_option("--size", options.size)->capture_default_str();
    app.add_option("--coils", options.coil_count)->capture_default_str();
    app.add_option("--iterations", options.iterations)->capture_default_str();
    app.add_option("--json", options.json_path);
    CLI11_PARSE(app, argc, argv);
    try {
        run(options);
    } catch (const std::exception& error) {
        fmt::print(stderr, "{}\n", error.what());
        return 1;
    }
    return 0;
}
