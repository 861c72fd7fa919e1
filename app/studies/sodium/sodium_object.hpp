#pragma once

#include <string>
#include <vector>

#include "app/studies/sodium/sodium_signal.hpp"
#include "data/simulation/phantoms/ellipsoid_phantom.hpp"

namespace recon::sodium {

/// What relaxes alike, as ellipsoids whose intensities are concentrations in mmol/l and add up.
struct Compartment {
    Relaxation relaxation;
    std::vector<Ellipsoid> ellipsoids;
};

/// Where a concentration is known and uniform, well inside: an ellipsoid along the axes, lengths in fields of view.
struct Region {
    std::string name;
    PerAxis<double> centre;
    PerAxis<double> semi_axes;
    double mmol_per_l;
    Relaxation relaxation;

    bool contains(const PerAxis<double>& position) const;
};

/// A head of tissue (45 mmol/l) with a lesion (80) and ventricles of fluid (145), and four calibration phantoms of agar
/// at its sides (25, 50, 75, 100).
struct SodiumObject {
    std::vector<Compartment> compartments;
    std::vector<Region> vials;    ///< to calibrate by
    std::vector<Region> regions;  ///< to be judged
};
SodiumObject sodium_object();

/// What a segmentation says is at a position: the relaxation that its signal is corrected for.
Relaxation relaxation_at(const SodiumObject& object, const PerAxis<double>& position);

}  // namespace recon::sodium
