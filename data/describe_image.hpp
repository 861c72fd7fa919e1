#pragma once

#include <optional>
#include <string>

#include "core/mri/scan.hpp"
#include "data/reading/format.hpp"

namespace recon {

/// An image or maps: size, geometry, range of the values.
/// @param dataset  which of the file's; empty: its image
std::string describe_image(const std::string& path, const Format& format, const std::string& dataset = "");

/// Numbers that may be an image, maps, k-space or a trajectory.
std::string describe_array(const std::string& path, const Format& format);

/// "  name              value", a line of a description.
std::string line(const std::string& name, const std::string& value);

/// "256 x 256 x 5", with ? for what is unknown.
std::string per_axis(const PerAxis<double>& values);

std::string orientation_text(const std::optional<Orientation>& orientation);

}  // namespace recon
