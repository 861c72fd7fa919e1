#pragma once

#include <cstddef>
#include <string>

#include "app/reconstruct_options.hpp"
#include "core/backend.hpp"
#include "core/mri/scan.hpp"

namespace recon {

struct MemoryForecast {
    std::size_t peak_bytes = 0;
    std::string peak_stage;  ///< "Q", "F^H d" or "cg"
};

/// What a reconstruction on the CPU will need at its peak, the scan in memory included.
MemoryForecast forecast_memory(const Scan& scan, const Backend& backend, const ReconstructOptions& options);

}  // namespace recon
