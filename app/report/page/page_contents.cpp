#include "app/report/page/page_contents.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "core/base/error.hpp"
#include "data/files/hdf5_file.hpp"
#include "data/reading/array_reader.hpp"
#include "data/reading/format.hpp"
#include "data/reading/placed_image_reader.hpp"
#include "data/reading/stored/file_and_dataset.hpp"

namespace recon {
namespace {

constexpr const char* map_names[] = {"uncertainty/sd",   "uncertainty/noise_sd", "uncertainty/g_factor",
                                     "coverage/xy",      "coverage/xz",          "coverage/yz",
                                     "off_resonance_hz", "relaxation_rate_per_s"};

/// In the file itself, or in the group of the first frame of a series.
std::string first_of(const H5File& file, const std::string& name) {
    for (const std::string& path : {"/" + name, "/frame_0/" + name}) {
        if (file.has_dataset(path)) {
            return path;
        }
    }
    return "";
}

RunRecord record_of(const H5File& file) {
    if (!file.has_dataset("/run/json")) {
        throw InputError(
            fmt::format("{}: has no record of a run (/run/json); expected an image that recon wrote", file.path()));
    }
    RunRecord record = RunRecord::parse(file.read<std::string>("/run/json").at(0), nullptr, false);
    if (!record.is_object()) {
        throw InputError(fmt::format("{}: the record of the run, /run/json, is no JSON", file.path()));
    }
    return record;
}

/// The reference that the record names, if it is still there and fits.
void take_reference(PageContents& contents) {
    const RunRecord options = contents.record.value("options", RunRecord::object());
    const auto named = options.find("reference");
    if (named == options.end() || !named->is_string() || named->get<std::string>().empty()) {
        return;
    }
    const auto path = named->get<std::string>();
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored)) {
        contents.reference_note = path + " is no longer there";
        return;
    }
    try {
        Image reference = read_placed_image(path).image;
        if (reference.geometry.matrix_size == contents.image.geometry.matrix_size) {
            contents.reference = std::move(reference);
        } else {
            contents.reference_note = path + " has another matrix now";
        }
    } catch (const InputError& error) {
        contents.reference_note = error.what();
    }
}

/// Maps that were given are not in the image's file, but in the one that the record names, if they still are.
void take_given_coil_maps(PageContents& contents) {
    const RunRecord options = contents.record.value("options", RunRecord::object());
    const auto coil_count = contents.record.value("coil_count", Index{0});
    for (const char* option : {"coil-maps", "scan"}) {
        const RunRecord named = options.value(option, RunRecord());
        if (!named.is_string() || coil_count < 2) {
            continue;
        }
        const auto [path, dataset] = parse_file_and_dataset(named.get<std::string>());
        std::error_code ignored;
        if (!std::filesystem::is_regular_file(with_extension(path), ignored)) {
            continue;
        }
        try {
            Image maps;
            maps.geometry = contents.image.geometry;
            maps.frames.resize(static_cast<std::size_t>(coil_count));
            maps.voxels = read_coil_maps(with_extension(path), maps.geometry.matrix_size, coil_count, dataset).values;
            maps.voxels.resize(static_cast<std::size_t>(coil_count * maps.voxel_count()));  // of the first slice
            contents.coil_maps = std::move(maps);
            return;
        } catch (const InputError&) {  // a scan without them
        }
    }
}

}  // namespace

PageContents read_page_contents(const std::string& path) {
    PageContents contents;
    contents.path = path;
    const H5File file = H5File::open(path);
    if (!file.has_dataset("/image")) {
        throw InputError(path + ": no /image; expected the file that a reconstruction has written as its `out`");
    }
    contents.image = read_placed_image(path, "/image").image;
    contents.record = record_of(file);
    if (file.has_dataset("/baseline/image")) {
        contents.gridding = read_placed_image(path, "/baseline/image").image;
    }
    for (const char* name : map_names) {
        if (const std::string dataset = first_of(file, name); !dataset.empty()) {
            contents.maps[name] = read_image(path, dataset).image;
        }
    }
    if (const std::string dataset = first_of(file, "coil_maps"); !dataset.empty()) {
        contents.coil_maps = read_image(path, dataset).image;
    } else {
        take_given_coil_maps(contents);
    }
    take_reference(contents);
    return contents;
}

}  // namespace recon
