#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "data/reading/scan_reader.hpp"

namespace recon {

constexpr double most_voxels = 65536;  ///< along an axis

/// What a user says of a scan beside its file, for every command that reads one.
struct ScanCommandLine {
    std::string trajectory;  ///< FILE or FILE:/dataset; empty: the scan's own
    std::string select;
    std::string trajectory_unit;
    std::vector<Index> matrix_size;
    std::vector<double> field_of_view_mm;
    OutOfBand out_of_band = OutOfBand::automatic;
};

/// Declares the options, bound to `line`, which outlives `app`'s parse.
void add_scan_options(CLI::App& app, ScanCommandLine& line);

/// @throws UsageError if an option cannot be read
ScanReadOptions read_options(const ScanCommandLine& line);

}  // namespace recon
