#pragma once

#include <string>
#include <vector>

#include "data/formats/mrd/mrd_acquisitions.hpp"
#include "data/formats/mrd/mrd_header.hpp"
#include "data/formats/mrd/mrd_sorting.hpp"

namespace recon {

/// What the acquisitions that make images say beside their samples, and against the header: readouts that are flagged
/// as reversed and come with their own trajectory, averages, steps that the header announces and no frame has, frames
/// that are shorter than the others, and places that would be added up in one image.
struct MrdCompleteness {
    std::vector<std::string> notes;
    std::vector<std::string> warnings;
};

MrdCompleteness completeness_of(const std::vector<MrdAcquisitions::Head>& heads, const MrdSorting& sorting,
                                const ISMRMRD::Encoding& encoding);

}  // namespace recon
