#pragma once

#include <functional>
#include <span>
#include <string>

#include "core/base/named_array.hpp"
#include "core/mri/image.hpp"
#include "data/files/hdf5_file.hpp"
#include "data/files/run_record.hpp"

namespace recon {

/// Contents of an image file. docs/output-formats.md describes the layout.
struct ImageFile {
    const Image& image;                       ///< to /image
    const Image* baseline = nullptr;          ///< to /baseline/image
    RunRecord run = RunRecord::object();      ///< to /run
    std::span<const NamedArray> extras = {};  ///< each to its name
    std::function<void(H5File&)> more = {};   ///< puts in what else belongs there
};

/// Writes an image file; an existing one is replaced only when the new one is complete.
/// @throws InputError if it cannot be written, ShapeError if an image's voxels do not match its frames
void write_image_hdf5(const std::string& path, const ImageFile& contents);

}  // namespace recon
