#include "data/reading/field_map_reader.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "core/base/error.hpp"
#include "data/files/numeric_datasets.hpp"
#include "data/reading/placed_image_reader.hpp"
#include "data/reading/scan/scan_checks.hpp"
#include "data/reading/stored/file_and_dataset.hpp"

namespace recon {
namespace {

bool has_matrix(const H5Info& info, const PerAxis<Index>& matrix) {
    std::vector<Index> found = info.extents, expected{matrix[2], matrix[1], matrix[0]};
    std::erase(found, 1);
    std::erase(expected, 1);
    return found == expected;
}

/// @throws InputError unless a dataset has a usual name, or one is the only candidate
std::string find_map(const std::string& path, const PerAxis<Index>& image_matrix, const std::vector<std::string>& usual,
                     const std::string& what) {
    const H5File file = H5File::open(path);
    std::vector<std::string> all = numeric_datasets(file);
    for (const std::string& name : usual) {
        for (const std::string& dataset : all) {
            if (dataset.ends_with("/" + name)) {
                return dataset;
            }
        }
    }
    std::vector<std::string> fitting;
    std::copy_if(all.begin(), all.end(), std::back_inserter(fitting), [&](const std::string& dataset) {
        return all.size() == 1 || has_matrix(file.dataset_info(dataset), image_matrix);
    });
    if (fitting.size() == 1) {
        return fitting.front();
    }
    constexpr std::size_t listed = 10;
    const bool more = all.size() > listed;
    all.resize(std::min(all.size(), listed));
    throw InputError(all.empty() ? fmt::format("{}: holds no arrays, expected a {}", path, what)
                                 : fmt::format("{}: no {} found: no dataset is named {}; name one of {}{} as {}:{}",
                                               path, what, fmt::join(usual, ", "), fmt::join(all, ", "),
                                               more ? ", ..." : "", path, all.front()));
}

}  // namespace

bool names_a_file(const std::string& name) {
    std::error_code ignored;
    return !name.empty() && std::filesystem::exists(parse_file_and_dataset(name).path, ignored);
}

bool has_array(const std::string& path, const std::string& name) {
    return !name.empty() && H5File::looks_like_hdf5(path) && H5File::open(path).has_dataset("/" + name);
}

void check_map(const std::vector<float>& values, const std::string& where, const std::string& what) {
    check_finite(std::span<const float>(values), where, what);
    if (std::all_of(values.begin(), values.end(), [](float value) { return value == 0; })) {
        throw InputError(fmt::format("{}: {} is zero everywhere; give a map that was measured, or none", where, what));
    }
}

StoredMap read_map(const std::string& name, const PerAxis<Index>& image_matrix, const std::vector<std::string>& usual,
                   const std::string& what) {
    const FileAndDataset asked = parse_file_and_dataset(name);
    const bool look = asked.dataset.empty() && H5File::looks_like_hdf5(asked.path);
    StoredImage stored =
        read_placed_image(asked.path, look ? find_map(asked.path, image_matrix, usual, what) : asked.dataset);
    const std::string source = stored.dataset.empty() ? asked.path : asked.path + ", dataset " + stored.dataset;
    const std::vector<cfloat>& voxels = stored.image.voxels;
    if (std::any_of(voxels.begin(), voxels.end(), [](const cfloat& value) { return value.imag() != 0; })) {
        throw InputError(fmt::format("{}: holds complex numbers, expected a {} of real ones", source, what));
    }
    StoredMap map{source, stored.image.geometry, {}, stored.image.frame_count(), {}};
    for (Index volume = 0; volume < map.volume_count && stored.image.orientation(volume); ++volume) {
        map.orientations.push_back(*stored.image.orientation(volume));
    }
    if (std::ssize(map.orientations) != map.volume_count) {
        map.orientations.clear();  // of some is of none
    }
    map.geometry.orientation.reset();
    map.values.reserve(voxels.size());
    for (const cfloat& value : voxels) {
        map.values.push_back(value.real());
    }
    check_map(map.values, source, "the " + what);
    return map;
}

StoredMap read_field_map(const std::string& name, const PerAxis<Index>& image_matrix) {
    return read_map(name, image_matrix,
                    {"off_resonance_hz", "field_map_hz", "fieldmap_extrapolated", "fieldmap", "field_map"},
                    "field map");
}

StoredMap read_r2star_map(const std::string& name, const PerAxis<Index>& image_matrix) {
    StoredMap map =
        read_map(name, image_matrix, {"relaxation_rate_per_s", "r2star_per_s", "r2star", "R2star", "r2s"}, "R2* map");
    const auto negative = std::count_if(map.values.begin(), map.values.end(), [](float rate) { return rate < 0; });
    if (negative > 0) {
        throw InputError(fmt::format("{}: {} of {} values of the R2* map are negative, expected decay rates in 1/s",
                                     map.source, negative, map.values.size()));
    }
    return map;
}

}  // namespace recon
