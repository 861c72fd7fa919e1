#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/studies/sodium/concentration_map.hpp"
#include "core/mri/image.hpp"

namespace recon::sodium {

/// What `recon study sodium` shall do.
struct Settings {
    Index size = 64;  ///< voxels along each axis
    Sequence sequence;
    double snr = 15;
    std::uint64_t seed = 1;
    Index uncertainty_samples = 4;
    std::string device = "auto";
    int thread_count = 0;
};

/// A region of the map against its true concentration.
struct RegionRow {
    Region region;
    RegionMean found;                ///< mmol/l
    double predicted_deviation = 0;  ///< root mean square of the map's standard deviation there, mmol/l
    double uncorrected = 0;          ///< mmol/l, relaxation and saturation left aside
};

struct Report {
    Settings settings;
    std::string device;
    Index sample_count = 0;
    double readout_s = 0;
    double scan_s = 0;  ///< readouts times the repetition time
    double reconstruction_seconds = 0;
    Calibration calibration;
    std::vector<Region> vials;
    std::vector<RegionRow> rows;
    Geometry geometry;
    ConcentrationMap map;
};

/// Simulates a sodium scan of a head with calibration phantoms at its sides, each compartment with saturation and with
/// its own decay from sample to sample; reconstructs it with the program's default; makes a map in mmol/l.
/// @throws what simulation and reconstruction throw; InputError where the matrix is too coarse for the phantoms
Report run_study(const Settings& settings);

std::string report_text(const Report& report);
nlohmann::json report_json(const Report& report);
/// The map as /image, its standard deviation as /concentration/sd, both in mmol/l.
void write_map(const std::string& path, const Report& report);
void write_picture(const std::string& path, const Report& report);

}  // namespace recon::sodium
