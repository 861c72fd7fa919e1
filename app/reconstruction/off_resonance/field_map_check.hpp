#pragma once

#include <string>
#include <vector>

#include "core/backend/backend.hpp"
#include "core/mri/scan.hpp"
#include "data/files/run_record.hpp"

namespace recon {

/// How well a scan fits its field map times a factor.
struct FieldMapTrial {
    std::string name;      ///< "as given", "opposite sign", ...
    double factor = 1;     ///< of the map
    double residual = 0;   ///< |E rho - d| / |d|, both with the square root of density weights
    double sharpness = 0;  ///< N sum |rho|^4 / (sum |rho|^2)^2: how concentrated the image's energy is
};

enum TrialOrder { as_given, opposite_sign, no_map, from_radians };

/// The comparison before a reconstruction.
struct FieldMapVerdict {
    PerAxis<Index> matrix_size{};  ///< of the images compared
    Index coil_count = 0;
    bool begins_at_centre = false;      ///< readouts do
    std::vector<FieldMapTrial> trials;  ///< in TrialOrder
    std::string warning;                ///< empty if nothing is wrong
    bool sign_is_told = false;          ///< the opposite map fits worse, or one of the two is warned of
    bool is_unlikely = false;           ///< warned of, or its opposite does better by however little
};

/// Compares the field map with its opposite, with none, and with what it would be in rad/s: three iterations of density
/// weighted least squares at low resolution, with the first frame's strongest coils and maps estimated from their
/// centre of k-space. What belongs to the scan explains its data best; where readouts begin at the centre of k-space,
/// its image is the sharpest as well. (Where they cross it midway, a wrong sign distorts, and may concentrate the
/// image.)
///
/// The resolution is the lowest, down to 32 voxels an axis, whose samples still see two turns of phase between the
/// frequencies of the map: centre-out readouts see the centre of k-space too early to tell signs apart.
/// A constant added to sample times changes the phase of the image alone, and cannot be seen here.
/// @param scan  with field map and sample times
FieldMapVerdict check_field_map(const Scan& scan, Backend& backend);

/// For the log and the output.
RunRecord verdict_json(const FieldMapVerdict& verdict);

}  // namespace recon
