#pragma once

#include <string>

#include "data/files/run_record.hpp"

namespace recon {

/// Residuals over the iterations of every solve, and how it ended.
std::string convergence_section(const RunRecord& record);

/// The spectrum of the image that the scan tells, and its noise.
std::string spectrum_section(const RunRecord& record);

/// Seconds and memory of the stages.
std::string timing_section(const RunRecord& record);

}  // namespace recon
