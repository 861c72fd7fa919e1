#pragma once

#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>

#include "core/base/named_array.hpp"
#include "core/mri/image.hpp"
#include "data/files/atomic_output.hpp"
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

/// An image file of which a part may be written before the rest is known.
class ImageHdf5Writer {
public:
    /// @throws InputError if it cannot be written
    explicit ImageHdf5Writer(const std::string& path) : output_(path) {}

    /// What is there first, and is on its way to the disk then. Not for names that are written directly: what comes
    /// there is there, whatever becomes of the rest.
    void write_ahead(const Image& image, std::span<const NamedArray> extras);
    void write_ahead(const NamedArray& extra);
    /// All else, as write_image_hdf5.  @param contents  with what was written ahead
    void finish(const ImageFile& contents);

private:
    H5File& file();
    void write_once(const NamedArray& extra);

    AtomicOutput output_;
    std::optional<H5File> file_;
    bool has_image_ = false;
    std::set<std::string> extras_written_;
};

/// Writes an image file; an existing one is replaced only when the new one is complete.
/// @throws InputError if it cannot be written, ShapeError if an image's voxels do not match its frames
void write_image_hdf5(const std::string& path, const ImageFile& contents);

}  // namespace recon
