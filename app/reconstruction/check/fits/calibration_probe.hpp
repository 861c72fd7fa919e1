#pragma once

#include <vector>

#include "core/mri/scan.hpp"

namespace recon {

enum class ProbeCoils {
    strongest,  ///< the eight of most energy
    all
};

/// A scan small enough to be fitted many times, and which coils of the whole one are in it.
struct CalibrationProbe {
    Scan scan;
    std::vector<Index> coils;    ///< ascending
    std::vector<Index> samples;  ///< of the first frame, ascending
    std::vector<float> gains{};  ///< by which data and maps of the coils are divided here; empty: 1
};

/// The first frame on a coarse matrix over the same field of view, with as many pairs of neighbouring readouts as the
/// coarse image needs.
/// @param first  the scan's first frame, with its k-space. Where processes hold parts of the coils each makes the probe
/// @param left_out  coils that are not among the strongest, whatever their energy, ascending
CalibrationProbe calibration_probe(const Scan& scan, const Frame& first, ProbeCoils coils,
                                   const std::vector<Index>& left_out);

/// The same samples and coils on a matrix half as fine again, for fits that are to leave nothing but noise.
/// @param scan  that the probe is of. Where processes hold parts of the coils each calls it
Scan sharper(const CalibrationProbe& probe, const Scan& scan);

/// The coils of a probe of all that one of the strongest lacks, ascending.
std::vector<Index> weaker_coils(const Scan& probe);

/// Of all coils, whose numbers lie one after another, some.
std::vector<cfloat> numbers_of_coils(const std::vector<cfloat>& all, Index coil_count, const std::vector<Index>& coils);

/// Whether a sample lies in the band of an image of this matrix.
bool is_in_band(const Trajectory& trajectory, Index sample, const PerAxis<Index>& matrix_size);

}  // namespace recon
