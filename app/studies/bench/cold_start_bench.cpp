#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "app/studies/bench/bench.hpp"
#include "core/base/error.hpp"
#include "data/formats/recon_h5/recon_hdf5_writer.hpp"
#include "data/simulation/simulate_scan.hpp"

namespace recon {
namespace {

/// A folder of its own, gone with its contents at the end.
class TemporaryFolder {
public:
    TemporaryFolder() {
        std::string name = (std::filesystem::temp_directory_path() / "recon-bench-XXXXXX").string();
        if (!mkdtemp(name.data())) {
            throw InputError("bench: no folder can be made in " + std::filesystem::temp_directory_path().string());
        }
        path_ = name;
    }
    ~TemporaryFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    std::string file(const char* name) const { return (path_ / name).string(); }

private:
    std::filesystem::path path_;
};

/// Runs this very program and waits for it. @throws Error if it fails
void run_recon(std::vector<std::string> arguments) {
    const std::string program = std::filesystem::read_symlink("/proc/self/exe").string();
    arguments.insert(arguments.begin(), program);
    std::vector<char*> list;
    for (std::string& argument : arguments) {
        list.push_back(argument.data());
    }
    list.push_back(nullptr);
    const pid_t child = fork();
    if (child == 0) {
        execv(program.c_str(), list.data());
        _exit(127);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child || status != 0) {
        throw Error("bench: " + program + " could not be run on a small scan");
    }
}

}  // namespace

BenchRow bench_cold_start(const std::string& device) {
    const TemporaryFolder folder;
    const Index n = 32;
    SimulationOptions options;
    options.request.matrix_size = {n, n, n};
    write_scan(simulate_scan(options).scan, folder.file("scan.h5"));
    std::vector<double> seconds(5);
    for (double& run : seconds) {
        const auto start = std::chrono::steady_clock::now();
        run_recon({"--scan", folder.file("scan.h5"), "--out", folder.file("image.h5"), "--device", device, "--quiet"});
        run = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    }
    std::nth_element(seconds.begin(), seconds.begin() + 2, seconds.end());
    return {.work = "cold start of the command",
            .size = fmt::format("{}^3, {} coils, from file to file", n, options.coil_count),
            .seconds = seconds[2]};
}

}  // namespace recon
