#pragma once

#include <optional>
#include <string>

#include "core/processor/cpu_costs.hpp"
#include "data/files/run_record.hpp"

namespace recon {

/// Where the costs fitted to this host are kept, beside the cache of Q: `costs-HOST.json`. Empty where the user has no
/// folder for caches.
std::string cost_file_path();

/// @throws InputError if the file cannot be written
void write_cost_file(const std::string& path, const CpuCosts& costs);

/// The costs in the file; none where there is no file, or it is damaged, or of another machine, processor level or
/// version of this program, which a warning says.
std::optional<CpuCosts> read_cost_file(const std::string& path);

RunRecord record_of(const CpuCosts& costs);
/// @throws InputError if one is missing, or no number near what it is without calibration
CpuCosts costs_of(const RunRecord& record);

}  // namespace recon
