#pragma once

#include <string>
#include <vector>

#include "core/base/types.hpp"
#include "data/formats/mrd/mrd_acquisitions.hpp"
#include "data/formats/mrd/mrd_sorting.hpp"

namespace recon {

/// The noise acquisitions of a file, [sample coil], scaled to the bandwidth of the image's samples: the variance of
/// noise goes as 1 / dwell time.
/// @param notes  what was noticed is added here
std::vector<cfloat> read_mrd_noise(const MrdAcquisitions& acquisitions, const MrdSorting& sorting,
                                   const MrdChannels& channels, std::vector<std::string>& notes);

}  // namespace recon
