#pragma once

#include <ismrmrd/xml.h>

#include <map>
#include <string>
#include <vector>

#include "data/formats/mrd/mrd_acquisitions.hpp"
#include "data/reading/scan_reader.hpp"

namespace recon {

/// Which acquisitions of an MRD file make the image, and which channels of them.
struct MrdSorting {
    Index encoding_space = 0;
    std::vector<bool> imaging;  ///< of this encoding space, all frames
    std::vector<bool> noise;
    std::map<FrameLabel, std::vector<Index>> frames;  ///< acquisitions of each frame, in the file's order
    /// Lines for the calibration of parallel imaging alone, measured apart: those of each slice.
    std::map<Index, std::vector<Index>> calibration;
    std::vector<std::string> notes;  ///< what was skipped, in words
};

/// Sorts acquisitions by their flags, counters and encoding space. Lines for the calibration of parallel imaging are
/// further k-space of their frame where the header calls the calibration embedded or interleaved: they are measured
/// among the others, as the others. Else they may be used for coil maps; of several contrasts and repetitions, the
/// first.
/// @throws InputError if no acquisition is left
MrdSorting sort_acquisitions(const std::vector<MrdAcquisitions::Head>& heads, const ISMRMRD::IsmrmrdHeader& header,
                             std::optional<Index> encoding_space, const std::string& where);

FrameLabel label_of(const MrdAcquisitions::Head& head);

/// Whether these frames were not measured one after the other.
bool frames_alternate(const MrdSorting& sorting, const std::vector<FrameLabel>& frames);

/// For each acquisition: positions, among its channels, of the channels that all imaging acquisitions have.
class MrdChannels {
public:
    /// Warns of channels that some have, and others not.
    /// @throws InputError if acquisitions differ in their number of channels and no mask says which are which
    MrdChannels(const std::vector<MrdAcquisitions::Head>& heads, const std::vector<bool>& imaging,
                const std::string& where);

    Index count() const { return count_; }
    /// Empty if this acquisition lacks some of them.
    std::vector<Index> positions(const MrdAcquisitions::Head& head) const;

private:
    Index count_ = 0;
    bool by_mask_ = false;
    std::vector<Index> channels_;  ///< bits of the mask that all have
};

}  // namespace recon
