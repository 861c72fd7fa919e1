#pragma once

#include "data/reading/scan_reader.hpp"

namespace recon {

/// Applies --matrix and --fov, brings trajectories into cycles per field of view, and keeps or drops samples beyond
/// the band; logs each decision. @throws InputError if the matrix or the unit cannot be told
Scan convert_scan(StoredScan stored, const ScanReadOptions& options);

}  // namespace recon
