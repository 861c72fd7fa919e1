#pragma once

#include <string>
#include <vector>

#include "data/mrd_acquisitions.hpp"
#include "data/mrd_header.hpp"
#include "data/mrd_sorting.hpp"
#include "data/scan_conversion.hpp"

namespace recon {

/// Gathers the acquisitions of the frames `labels` into one scan: k-space, trajectory, times, noise, orientation.
/// @throws InputError if acquisitions contradict each other or the header
StoredScan build_mrd_scan(const std::string& path, const MrdAcquisitions& acquisitions,
                          const ISMRMRD::IsmrmrdHeader& header, const MrdSorting& sorting,
                          const std::vector<FrameLabel>& labels);

}  // namespace recon
