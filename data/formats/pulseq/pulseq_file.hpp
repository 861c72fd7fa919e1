#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

#include "core/base/types.hpp"
#include "data/formats/pulseq/pulseq_labels.hpp"
#include "data/formats/pulseq/pulseq_rotations.hpp"

namespace recon {

/// A gradient of a block: its value at times after the block's beginning, straight lines between them, zero elsewhere.
struct PulseqGradient {
    std::vector<double> times_s;
    std::vector<double> values_hz_per_m;
};

struct PulseqPulse {
    double centre_s = 0;  ///< after the block's beginning
    bool excites = false;
    bool refocuses = false;
};

struct PulseqReadout {
    Index sample_count = 0;
    double dwell_s = 0;
    double delay_s = 0;
};

struct PulseqBlock {
    double duration_s = 0;
    Index pulse = 0;                   ///< 0: none; so with the others
    std::array<Index, 3> gradients{};  ///< x, y, z
    Index readout = 0;
    Index rotation = 0;
    Index labels = 0;  ///< changes of them
};

/// What a Pulseq file says of gradients and readouts [Layton 2017]; versions 1.4 and 1.5.
struct PulseqFile {
    std::vector<PulseqBlock> blocks;
    std::map<Index, PulseqPulse> pulses;
    std::map<Index, PulseqGradient> gradients;
    std::map<Index, PulseqReadout> readouts;
    std::map<Index, PulseqRotation> rotations;  ///< of gradients
    std::map<Index, std::vector<PulseqLabelChange>> labels;
    PerAxis<double> field_of_view_mm{};  ///< 0 where the file does not say
};

/// True if the file begins as one, comments aside.
bool is_pulseq(const std::string& path);

/// @throws InputError that names the line
PulseqFile read_pulseq(const std::string& path);

}  // namespace recon
