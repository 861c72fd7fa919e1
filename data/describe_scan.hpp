#pragma once

#include <string>

#include "data/reading/scan_reader.hpp"

namespace recon {

/// Matrix, lengths, frames, coils, samples and what else a scan has, a line each; what is wrong with it as well.
std::string describe_scan(const ScanReader& reader, const ScanReadOptions& options);

}  // namespace recon
