#pragma once

#include <string>
#include <vector>

/// Names of the project's own HDF5 layout, shared by its reader and its writer. (docs/file-formats.md)
namespace recon::layout {

inline constexpr const char* format_name = "recon-scan";
inline constexpr Index version = 1;

/// Names in the order of storage.
inline const std::vector<std::string> xyz{"x", "y", "z"};
inline const std::vector<std::string> orientation_rows{"centre_mm", "x_direction", "y_direction", "z_direction"};

/// "/frame_3": where frame 3 keeps its samples if frames differ in length.
inline std::string frame_group(std::size_t frame) { return "/frame_" + std::to_string(frame); }

}  // namespace recon::layout
