#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/registry.hpp"
#include "core/mri/image.hpp"
#include "core/mri/scan.hpp"
#include "data/reading/image_reader.hpp"
#include "data/reading/scan_reader.hpp"
#include "data/reading/stored/stored_array.hpp"

namespace recon {

/// A file format in all its roles; a role that it has no function for it does not have. Each registers itself from its
/// own folder, data/formats/NAME, and is known by that alone wherever files are read, written or described.
struct Format {
    std::string_view name;   ///< as users type it
    std::string_view title;  ///< for messages, with an article: "a NIfTI-1 file"
    /// By content, whatever the file's name; false for missing files. @throws InputError if it is such a file, damaged
    bool (*recognises)(const std::string& path) = nullptr;

    std::unique_ptr<ScanReader> (*scan_reader)(const std::string& path) = nullptr;
    /// Images, coil maps and field maps, with what the file says of their place.
    /// @param dataset  empty: the usual one
    StoredImage (*read_image)(const std::string& path, const std::string& dataset) = nullptr;
    /// Numbers with axes: trajectories, coil maps. @throws InputError if there is no such array, or no usual one
    StoredArray (*read_array)(const std::string& path, const ArrayName& name) = nullptr;

    void (*write_scan)(const Scan& scan, const std::string& path) = nullptr;
    void (*write_image)(const Image& image, const std::string& path) = nullptr;
    std::string_view write_image_help{};  ///< of the option with the format's name: what it writes, and names of files
    /// How files that it writes end, separated by blanks: outputs of such names are its, inputs may be named without.
    std::string_view extensions{};
    bool has_sidecar = false;  ///< images that it writes get a BIDS sidecar beside them
};

Registry<Format>& formats();

/// Those with that role, in alphabetical order.
template <class Role>
std::vector<const Format*> formats_with(Role Format::*role) {
    std::vector<const Format*> found = formats().all();
    std::erase_if(found, [role](const Format* format) { return format->*role == nullptr; });
    return found;
}

/// The first format with that role that recognises what lies at `path`; null if none does.
template <class Role>
const Format* format_of(const std::string& path, Role Format::*role) {
    for (const Format* format : formats_with(role)) {
        if (format->recognises(path)) {
            return format;
        }
    }
    return nullptr;
}

/// Those of Format::extensions.
std::vector<std::string> extensions_of(const Format& format);

/// Whether a file's name ends so, in whatever case.
bool has_extension(std::string_view path, std::string_view extension);

/// The format that writes images to files of that name; null: none, as for HDF5, which has more than the image.
const Format* image_writer_of(const std::string& path);
/// The format that writes scans to files of that name; null: none, as HDF5 is of more than one format.
const Format* scan_writer_of(const std::string& path);

/// `path` without the extension of that format, if it has one: "a/image" for a/image.nii.gz.
std::string without_extension(const std::string& path, const Format& format);

/// `path`, or, where nothing is there, what is there with the extension of a format: k.cfl for BART's k.
std::string with_extension(const std::string& path);

/// "an HDF5 file or a NIfTI-1 file".
std::string titles_of(const std::vector<const Format*>& formats);

}  // namespace recon
