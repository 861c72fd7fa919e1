#pragma once

#include <span>
#include <string>

#include "core/base/types.hpp"

namespace recon {

/// How a reference would have to be placed on the image's grid: axes exchanged, then mirrored about the voxel with
/// index floor(N/2), then shifted, cyclically.
struct Placement {
    PerAxis<int> source_axis{0, 1, 2};  ///< of the reference, for each axis of the image
    PerAxis<bool> mirrored{};
    PerAxis<Index> shift{};  ///< voxels

    bool as_given() const { return *this == Placement{}; }
    /// "mirrored along x, moved by +3 voxels along y", or "as it is"
    std::string text() const;
    friend bool operator==(const Placement&, const Placement&) = default;
};

enum class Alignment {
    agrees,     ///< no other placement tried shares more information with the image
    misplaced,  ///< another one does, by more than chance explains
    unrelated   ///< the reference shares no more with the image than when it is shifted far away
};

/// What the reference says about the image, in nats a voxel: mutual information [Maes 1997].
struct AlignmentReport {
    Alignment verdict = Alignment::agrees;
    double information = 0;       ///< as given
    Placement best;               ///< of those tried
    double best_information = 0;  ///< with it
    double gain_deviations = 0;   ///< the gain over its noise, from blocks of voxels; 0 if `best` is as given
    double far_information = 0;   ///< mean of placements shifted by a quarter to three quarters of the grid
    double far_deviation = 0;     ///< their standard deviation

    std::string text() const;  ///< one line
};

/// Compares the reference as given with itself mirrored, with axes of equal extent exchanged, and shifted. Contrast
/// does not matter: mutual information asks whether one image's values tell the other's. Sees whole voxels, no rotation
/// by less than 90 degrees; cannot tell two subjects in the same place apart.
/// @param image, reference  [x y z], magnitudes on one grid. @throws ShapeError if the sizes differ
AlignmentReport check_alignment(std::span<const float> image, std::span<const float> reference,
                                PerAxis<Index> matrix_size);

}  // namespace recon
