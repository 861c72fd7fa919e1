#pragma once

#include <string>
#include <vector>

#include "core/mri/scan.hpp"

namespace recon {

/// One way in which the numbers of a file are often misunderstood, as the change that mends it.
struct ScanFix {
    enum class Kind {
        conjugate,       ///< d -> conj(d)
        mirror,          ///< k -> -k along `axes`
        swap,            ///< the components `axes` (two) of k exchanged
        shift,           ///< sample s of a readout belongs to position s + `samples`
        reverse,         ///< all readouts run backwards
        alternate,       ///< every second readout runs backwards
        scale,           ///< k -> `factor` k, along `axes` where there are any
        stretch,         ///< sample s of a readout belongs to position `factor` s, between those of the trajectory
        maps_conjugate,  ///< S -> conj(S)
        maps_mirror,     ///< S(r) -> S(-r) along `axes`
        maps_order       ///< map c is that of coil `order[c]` of the file
    };

    Kind kind = Kind::conjugate;
    std::string axes;          ///< of "xyz"
    Index samples = 0;         ///< of shift
    double factor = 1;         ///< of scale and stretch
    std::vector<Index> order;  ///< of maps_order

    bool is_of_maps() const { return kind >= Kind::maps_conjugate; }
    /// As parse_scan_fixes reads it: "conjugate", "mirror=x", "swap=xy", "shift=-1", "reverse=all",
    /// "reverse=alternate", "scale=0.5", "scale=x:0.9", "stretch=1.05", "maps-conjugate", "maps-mirror=y",
    /// "maps-order=2-0-1".
    std::string text() const;
    /// What was wrong where this mends it, for people: "k-space is conjugated".
    std::string mistake() const;
};

/// "conjugate,swap=xy". @throws UsageError naming the part that cannot be read, and what there is
std::vector<ScanFix> parse_scan_fixes(const std::string& text);

/// Applies a fix to all frames, the calibration and the noise scan; k-space that is on demand is changed whenever it
/// has been loaded.
/// @throws InputError if the scan has no such thing: readouts of one length, coil maps, that axis, as many coils
void apply(const ScanFix& fix, Scan& scan);

}  // namespace recon
