// How fast scans are read, checks included, beside the speed of the file: one thread that copies its bytes from the
// page cache into memory that it has had before.
//
// Usage: bench_reading [FILE ...] [--samples S] [--coils C] [--json]
// Without files it writes scans of S samples of C coils, in the project's layout and in MRD, into the temporary folder.
// Rates are bytes of the file a second: by the clock, which threads share, and by processor time, which a busy machine
// leaves alone. To compare two versions, give both the same files.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <random>

#include "core/base/log.hpp"
#include "core/base/log_binding.hpp"
#include "data/formats/mrd/mrd_writer.hpp"
#include "data/formats/recon_h5/recon_hdf5_writer.hpp"
#include "data/reading/scan_reader.hpp"
#include "tests/benchmark/support/stopwatch.hpp"
#include "tests/support/temporary_folder.hpp"

namespace {

using namespace recon;

double processor_seconds() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

Scan random_scan(Index sample_count, Index coil_count) {
    constexpr Index readout = 256;
    std::mt19937 random(1);
    std::uniform_real_distribution<float> number(-1, 1);
    Scan scan;
    scan.geometry.matrix_size = {64, 64, 64};
    scan.geometry.field_of_view_mm = {220, 220, 220};
    scan.coil_count = coil_count;
    scan.samples_per_readout = readout;
    const auto count = static_cast<std::size_t>(sample_count / readout * readout);
    auto trajectory = std::make_shared<Trajectory>();
    for (auto& component : trajectory->k) {
        component.resize(count);
        std::generate(component.begin(), component.end(), [&] { return 32 * number(random); });
    }
    Frame frame;
    frame.trajectory = trajectory;
    frame.kspace.resize(count * static_cast<std::size_t>(coil_count));
    std::generate(frame.kspace.begin(), frame.kspace.end(), [&] { return cfloat(number(random), number(random)); });
    scan.frames.push_back(std::move(frame));
    return scan;
}

/// Copies a whole file into `buffer`.
void copy_file(const std::string& path, std::vector<char>& buffer) {
    const int file = open(path.c_str(), O_RDONLY);
    ssize_t count = 1;
    while (file >= 0 && count > 0) {
        count = read(file, buffer.data(), buffer.size());
    }
    close(file);
}

nlohmann::json measure(const std::string& path) {
    constexpr int runs = 5;
    const double megabytes = static_cast<double>(std::filesystem::file_size(path)) / 1e6;
    std::vector<char> buffer(std::size_t{4} << 20);
    double seconds = 1e9, processor = 1e9, copy_seconds = 1e9;
    for (int run = 0; run < runs; ++run) {
        copy_seconds = std::min(copy_seconds, benchmark::seconds_of([&] { copy_file(path, buffer); }));
        const double before = processor_seconds();
        seconds = std::min(seconds, benchmark::seconds_of([&] { read_scan(path, {}); }));
        processor = std::min(processor, processor_seconds() - before);
    }
    return {{"file", std::filesystem::path(path).filename()},
            {"megabytes", megabytes},
            {"megabytes_per_s", megabytes / seconds},
            {"megabytes_per_processor_s", megabytes / processor},
            {"copy_megabytes_per_s", megabytes / copy_seconds}};
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app("bench_reading");
    std::vector<std::string> files;
    Index sample_count = 1 << 20;
    Index coil_count = 32;
    bool json = false;
    app.add_option("files", files);
    app.add_option("--samples", sample_count);
    app.add_option("--coils", coil_count);
    app.add_flag("--json", json);
    CLI11_PARSE(app, argc, argv);
    Log log(LogLevel::warning);
    const LogBinding bound(&log);
    const test::TemporaryFolder folder;
    if (files.empty()) {
        const Scan scan = random_scan(sample_count, coil_count);
        files = {folder / "recon.h5", folder / "mrd.h5"};
        write_scan(scan, files[0]);
        write_mrd(scan, files[1]);
    }
    nlohmann::json rows = nlohmann::json::array();
    for (const std::string& file : files) {
        const nlohmann::json row = measure(file);
        rows.push_back(row);
        if (!json) {
            fmt::print("{:<24} {:6.0f} MB: {:5.0f} MB/s, {:5.0f} MB a processor second; copied at {:5.0f} MB/s\n",
                       row["file"].get<std::string>(), row["megabytes"].get<double>(),
                       row["megabytes_per_s"].get<double>(), row["megabytes_per_processor_s"].get<double>(),
                       row["copy_megabytes_per_s"].get<double>());
        }
    }
    if (json) {
        fmt::print("{}\n", rows.dump(2));
    }
}
