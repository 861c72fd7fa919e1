#pragma once

#include <vector>

#include "core/types.hpp"

namespace recon {

/// Sample positions in k-space, in cycles per field of view, components x, y, z (zero where the scan has no such axis).
/// Storage is one array per component, in acquisition order: sample `s` of readout `r` is element
/// `r * samples_per_readout + s` where readouts have equal lengths.
struct Trajectory {
    PerAxis<std::vector<double>> k;

    Index sample_count() const { return static_cast<Index>(k[0].size()); }
};

}  // namespace recon
