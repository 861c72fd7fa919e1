#pragma once

#include <string>
#include <vector>

#include "core/base/types.hpp"
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
    double times_along_k = 0;           ///< part of the variance of sample times that a linear function of k explains
    std::vector<FieldMapTrial> trials;  ///< in TrialOrder; none where `moves_voxels`
    std::string warning;                ///< empty if nothing is wrong
    bool sign_is_told = false;          ///< the opposite map fits worse, or one of the two is warned of
    bool is_unlikely = false;           ///< warned of, or its opposite does better by however little

    /// Samples come at times that grow along one direction of k-space, as those of Cartesian and echo-planar scans: the
    /// field moves voxels along it, and an image that is distorted the other way explains the data as well.
    bool moves_voxels() const { return times_along_k > 0.9; }
};

/// Says what the trials say: everything below them in the verdict; nothing where `moves_voxels`.
void judge(FieldMapVerdict& verdict);

/// For the log and the output.
RunRecord verdict_json(const FieldMapVerdict& verdict);

}  // namespace recon
