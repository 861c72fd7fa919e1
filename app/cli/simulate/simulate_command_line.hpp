#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "data/simulation/simulate_scan.hpp"

namespace recon {

/// The command line as typed: units of people, turned into SimulationOptions by `simulation_options`.
struct SimulateArguments {
    std::string out;
    std::string truth;
    std::string reference_image;
    std::vector<Index> reference_matrix;  ///< empty: twice the scan's
    double reference_snr = 30;
    std::string from;
    std::string format;  ///< empty: by the name of the file, else recon
    std::string phantom = "brain";
    std::uint64_t phantom_seed = 1;
    std::string trajectory;  ///< empty: what suits the dimension
    std::vector<Index> matrix{64};
    std::vector<double> fov_mm{220};
    std::string nucleus = "1H";
    double gradient_mt_per_m = 40;
    double slew_rate_t_per_m_s = 150;
    double dwell_us = 4;
    double echo_time_ms = 0;
    double oversampling = 2;
    double undersampling = 0;
    double density_power = 1;
    double section = 0;
    double edge_voxels = 0;
    Index readouts = 0;
    Index interleaves = 0;
    Index samples = 0;
    Index coils = 8;
    Index frames = 1;
    Index slices = 1;
    double slice_distance_mm = 5;
    HeartBeatOptions heart;
    Index noise_samples = 0;
    double snr = 20;
    std::uint64_t seed = 1;
    double off_resonance_hz = 0;
    double r2star_per_s = 0;
    std::string field_map = "everywhere";
    bool quiet = false;
    bool no_coil_maps = false;
};

/// Declares the options, bound to `arguments`, which outlives the parse of `command`.
void add_simulate_options(CLI::App& command, SimulateArguments& arguments);

/// @throws UsageError for a nucleus that is not known
SimulationOptions simulation_options(const SimulateArguments& arguments, const CLI::App& command);

/// One value means all axes that exist; three are x, y, z; two are x, y of a 2-D scan.
template <class T>
PerAxis<T> axes_as_typed(const std::vector<T>& values, T filler) {
    switch (values.size()) {
        case 1: return {values[0], values[0], values[0]};
        case 2: return {values[0], values[1], filler};
        default: return {values[0], values[1], values[2]};
    }
}

}  // namespace recon
