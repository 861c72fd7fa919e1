#pragma once

#include <memory>
#include <string>
#include <vector>

#include "data/formats/mrd/mrd_acquisitions.hpp"
#include "data/formats/mrd/mrd_header.hpp"
#include "data/formats/mrd/mrd_sorting.hpp"
#include "data/reading/scan_reader.hpp"

namespace recon {

/// Gathers the acquisitions of the frames selected into one scan: trajectory, times, noise, orientation; k-space of a
/// frame when it is asked for.
/// @param acquisitions  kept as long as the scan
/// @param options  of which frames, and whether their positions come from a file of their own
/// @throws InputError if acquisitions contradict each other or the header
StoredScan build_mrd_scan(const std::string& path, std::shared_ptr<const MrdAcquisitions> acquisitions,
                          const ISMRMRD::IsmrmrdHeader& header, const MrdSorting& sorting,
                          const ScanReadOptions& options);

}  // namespace recon
