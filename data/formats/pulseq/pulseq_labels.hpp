#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/mri/scan.hpp"
#include "data/formats/pulseq/pulseq_extensions.hpp"

namespace recon {

/// What a block does to a label before its readout.
struct PulseqLabelChange {
    std::string label;  ///< "SLC", "REP", ...
    Index value = 0;
    bool is_increment = false;
};

/// Of each list of extensions that has some: those that set labels first, as interpreters have it.
std::map<Index, std::vector<PulseqLabelChange>> pulseq_labels(const PulseqSections& sections,
                                                              const PulseqExtensions& extensions);

/// Labels as they stand at a readout; all begin with 0.
class PulseqLabelState {
public:
    void change(const std::vector<PulseqLabelChange>& changes);
    /// Which of a series of images a readout is of: by ECO, REP, SET, SLC and PHS.
    FrameLabel frame() const;
    /// Whether a readout is of an image, neither of noise (NOISE) nor of a navigator (NAV).
    bool is_imaging() const { return of("NOISE") == 0 && of("NAV") == 0; }

private:
    Index of(const std::string& label) const;
    std::map<std::string, Index> values_;
};

}  // namespace recon
