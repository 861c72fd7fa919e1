#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "core/mri/metrics/image_metrics.hpp"

namespace recon {

/// Figures under the names that `--json` documents; a ratio that is infinite becomes null.
nlohmann::json comparison_json(const ImageComparison& figures);

/// Means over the frames under the same names, and the list `frames` if there are several. @throws ShapeError if empty
nlohmann::json comparison_json(std::span<const ImageComparison> frames);

/// Aligned lines for people: a head line, then one line for each frame.
std::string comparison_table(std::span<const ImageComparison> frames);

}  // namespace recon
