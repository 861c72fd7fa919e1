#pragma once

#include <vector>

#include "core/base/types.hpp"

namespace recon {

/// Excitation and recovery of size x size cells, on the host. [column row], columns fastest.
struct ExcitationState {
    Index size = 0;
    std::vector<double> excitation;
    std::vector<double> recovery;

    /// The right half of the columns is excited, the lower half of the rows recovers: the front between them winds
    /// itself up into spiral waves.
    static ExcitationState spiral_start(Index size);

    double largest() const;           ///< max E, "Linf"; not finite if any E is not
    double root_mean_square() const;  ///< sqrt(mean E^2), "L2"
};

}  // namespace recon
