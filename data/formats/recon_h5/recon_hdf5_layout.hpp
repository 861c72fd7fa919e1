#pragma once

#include <string>
#include <vector>

#include "core/mri/scan.hpp"

/// Names of the project's own HDF5 layout, shared by its reader and its writer. (docs/file-formats.md)
namespace recon::layout {

inline constexpr const char* format_name = "recon-scan";
inline constexpr Index version = 1;

/// Name of an image axis or of a part of a label, in the order of storage.
inline const std::vector<std::string> xyz{"x", "y", "z"};
inline const std::vector<std::string> label_columns{"contrast", "repetition", "set", "slice", "phase"};
inline const std::vector<std::string> orientation_rows{"centre_mm", "x_direction", "y_direction", "z_direction"};

inline std::vector<Index> row_of(const FrameLabel& label) {
    return {label.contrast, label.repetition, label.set, label.slice, label.phase};
}

/// "/frame_3": where frame 3 keeps its samples if frames differ in length.
inline std::string frame_group(std::size_t frame) { return "/frame_" + std::to_string(frame); }

}  // namespace recon::layout
