#pragma once

#include <vector>

#include "core/base/types.hpp"

namespace recon {

/// Excitation and recovery of size x size cells, on the host. [column row], columns fastest.
struct ExcitationState {
    Index size = 0;
    std::vector<double> excitation;
    std::vector<double> recovery;

    /// All cells 0.
    static ExcitationState at_rest(Index size);
    /// The right half of the columns is excited, the lower half of the rows recovers: the front between them winds
    /// itself up into spiral waves.
    static ExcitationState spiral_start(Index size);
    static double excitation_at_start(Index size, Index column) { return column >= size / 2 ? 1 : 0; }
    static double recovery_at_start(Index size, Index row) { return row >= size / 2 ? 1 : 0; }

    /// @throws ShapeError if it is no state of a sheet of so many cells a side
    void require_size(Index of_sheet) const;

    double largest() const;           ///< max E, "Linf"; not finite if any E is not
    double root_mean_square() const;  ///< sqrt(mean E^2), "L2"
};

}  // namespace recon
