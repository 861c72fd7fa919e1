#pragma once

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/fourier/trajectory.hpp"

namespace recon::bench {

/// BART's file pair: NAME.hdr with the extents, NAME.cfl with complex floats, first axis fastest.
inline void write_cfl(const std::string& name, const std::vector<Index>& extents, const std::vector<cfloat>& values) {
    std::ofstream header(name + ".hdr");
    header << "# Dimensions\n";
    for (int axis = 0; axis < 16; ++axis) {
        header << (axis < static_cast<int>(extents.size()) ? extents[axis] : 1) << ' ';
    }
    header << '\n';
    std::ofstream data(name + ".cfl", std::ios::binary);
    data.write(reinterpret_cast<const char*>(values.data()),
               static_cast<std::streamsize>(values.size() * sizeof(cfloat)));
    if (!header || !data) {
        throw std::runtime_error("cannot write " + name);
    }
}

inline std::vector<cfloat> read_cfl(const std::string& name, Index count) {
    std::vector<cfloat> values(count);
    std::ifstream data(name + ".cfl", std::ios::binary);
    if (!data.read(reinterpret_cast<char*>(values.data()),
                   static_cast<std::streamsize>(values.size() * sizeof(cfloat)))) {
        throw std::runtime_error("cannot read " + name);
    }
    return values;
}

/// BART takes positions in cycles per FOV as well, [3 sample].
inline std::vector<cfloat> bart_trajectory(const Trajectory& trajectory) {
    std::vector<cfloat> positions(3 * trajectory.sample_count());
    for (Index m = 0; m < trajectory.sample_count(); ++m) {
        for (int axis = 0; axis < 3; ++axis) {
            positions[3 * m + axis] = static_cast<float>(trajectory.k[axis][m]);
        }
    }
    return positions;
}

/// Runs a command line. @throws std::runtime_error if it fails
inline double seconds_of(const std::string& command) {
    fmt::print("$ {}\n", command);
    std::fflush(stdout);
    const auto start = std::chrono::steady_clock::now();
    if (std::system(command.c_str()) != 0) {
        throw std::runtime_error("failed: " + command);
    }
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

inline bool bart_is_there() { return std::system("command -v bart > /dev/null") == 0; }

/// A folder for the files of a run, gone afterwards.
class WorkFolder {
public:
    WorkFolder() : path_(std::filesystem::temp_directory_path() / fmt::format("recon-bart-{}", getpid())) {
        std::filesystem::create_directories(path_);
    }
    ~WorkFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    WorkFolder(const WorkFolder&) = delete;
    WorkFolder& operator=(const WorkFolder&) = delete;
    std::string operator/(const std::string& name) const { return (path_ / name).string(); }

private:
    std::filesystem::path path_;
};

}  // namespace recon::bench
