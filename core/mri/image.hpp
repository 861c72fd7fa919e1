#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/types.hpp"
#include "core/mri/scan.hpp"

namespace recon {

/// Which image of a series this is, and where it lies if that differs from the others.
struct ImageFrame {
    FrameLabel label;
    std::optional<Orientation> orientation;  ///< none: the geometry's own
};

/// A reconstructed image, or a series of them, in host memory and in the conventions of docs/conventions.md.
struct Image {
    Geometry geometry;
    std::vector<ImageFrame> frames{ImageFrame{}};
    std::vector<cfloat> voxels;  ///< [x y z frame]
    std::string study{};         ///< alike for all images of one study, or of one scan; empty: unknown

    Index frame_count() const { return static_cast<Index>(frames.size()); }
    Index voxel_count() const;  ///< of one frame
    /// Voxels of one frame, [x y z]. @throws ShapeError if there is no such frame or the voxels are missing
    std::span<const cfloat> frame(Index index) const;
    /// Where a frame lies: its own orientation, or the one they share; none if unknown.
    const std::optional<Orientation>& orientation(Index index) const;

    /// @throws ShapeError unless there is a frame and the voxels fill all frames exactly
    void require_consistent() const;
};

}  // namespace recon
