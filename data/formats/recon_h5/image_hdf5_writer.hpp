#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/base/named_array.hpp"
#include "core/mri/image.hpp"

namespace recon {

/// What a run was and how it went, as one JSON object: version, command line, options, backend, residuals, timings,
/// accuracy, log. The program builds it; `--json` and `/run` in the image file both hold it, so that they agree.
using RunRecord = nlohmann::json;

/// Contents of an image file. docs/output-formats.md describes the layout.
struct ImageFile {
    const Image& image;                   ///< to /image
    const Image* baseline = nullptr;      ///< to /baseline/image
    RunRecord run = RunRecord::object();  ///< to /run
    std::vector<NamedArray> extras = {};  ///< each to its name
};

/// Writes an image file; an existing one is replaced only when the new one is complete.
/// @throws InputError if it cannot be written, ShapeError if an image's voxels do not match its frames
void write_image_hdf5(const std::string& path, const ImageFile& contents);

}  // namespace recon
