#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/mri/image.hpp"
#include "core/mri/metrics/image_metrics.hpp"

namespace recon::trio {

/// What `recon study trio` shall do: one slice, three ways to scan and reconstruct it.
struct Settings {
    Index size = 128;  ///< voxels along x and y
    Index coils = 8;
    double snr = 20;
    double undersampling = 2;  ///< of the spiral
    double repetition_time_s = 0.025;
    int iterations = 30;
    std::uint64_t seed = 1;
    std::string device = "auto";
    int thread_count = 0;
};

struct Row {
    std::string id;
    std::string title;
    Index readout_count = 0;
    double scan_s = 0;            ///< readouts times the repetition time
    double reconstruction_s = 0;  ///< weights and plans included
    Deviation figures{};          ///< against the truth, no scale fitted
    std::vector<cfloat> image{};  ///< [x y z]
};

struct Report {
    Settings settings;
    std::string device;
    std::vector<Row> rows;
    Image truth;
};

/// Cartesian + FFT; spiral + gridding; spiral + least squares, plain and with the program's default prior. The same
/// object, coils, noise a sample and repetition time. @throws what simulation and reconstruction throw
Report run_study(const Settings& settings, const std::function<void(const Row&)>& done);

std::string table_head();
std::string table_line(const Row& row);
nlohmann::json report_json(const Report& report);
void write_picture(const std::string& path, const Report& report);

}  // namespace recon::trio
