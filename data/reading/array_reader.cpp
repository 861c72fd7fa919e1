#include "data/reading/array_reader.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "core/base/error.hpp"
#include "core/base/log.hpp"
#include "data/files/file_identity.hpp"
#include "data/files/numeric_datasets.hpp"
#include "data/reading/format.hpp"
#include "data/reading/placed_image_reader.hpp"
#include "data/reading/scan/scan_checks.hpp"

namespace recon {
namespace {

using Texts = std::vector<std::string>;

constexpr const char* what_maps = "coil maps";

const Texts& usual_maps() {
    static const Texts names{"coil_maps", "csm", "sensitivities", "maps"};
    return names;
}

/// Extents of 1 may be missing or added.
bool same_shape(std::vector<Index> found, std::vector<Index> expected) {
    std::erase(found, 1);
    std::erase(expected, 1);
    return found == expected;
}

/// Of axes with names the slices' alone may lie before the coils.
void require_slices_before_coils(const StoredArray& array) {
    constexpr std::size_t of_one = 4;
    for (std::size_t i = 0; i + of_one < array.axes.size(); ++i) {
        if (array.extents[i] > 1 && array.axes[i] != "SLICE") {
            throw InputError(
                fmt::format("{}: is {}, expected coil maps, one set for each slice at most; take one of those "
                            "along {} with: bart slice {} 0 {} one",
                            array.where, array.extents_text(), array.axes[i], array.axes.size() - 1 - i,
                            std::filesystem::path(array.where).replace_extension().string()));
        }
    }
}

bool fits(const H5Info& info, const std::vector<Index>& expected) {
    return is_numeric(info) && same_shape(info.extents, expected);
}

/// The dataset asked for, else the first with a usual name, else the only one that fits.
std::string find_array(const H5File& file, const std::string& asked, const Texts& usual, const std::string& what,
                       const std::vector<Index>& expected) {
    if (!asked.empty()) {
        return asked.starts_with('/') ? asked : "/" + asked;
    }
    const Texts all = numeric_datasets(file);
    for (const std::string& name : usual) {
        Texts found;
        std::copy_if(all.begin(), all.end(), std::back_inserter(found),
                     [&](const std::string& path) { return path.ends_with("/" + name); });
        if (std::find(found.begin(), found.end(), "/" + name) != found.end()) {
            return "/" + name;
        }
        if (found.size() > 1) {  // those of other slices, say
            throw InputError(fmt::format("{}: {} could be any of {}; name one, such as {}:{}", file.path(), what,
                                         fmt::join(found, ", "), file.path(), found.front()));
        }
        if (!found.empty()) {
            return found[0];
        }
    }
    Texts fitting;
    std::copy_if(all.begin(), all.end(), std::back_inserter(fitting),
                 [&](const std::string& path) { return fits(file.dataset_info(path), expected); });
    if (fitting.size() != 1) {
        throw InputError(fmt::format("{}: no {} found: no dataset is named {}, and {} the shape [{}]", file.path(),
                                     what, fmt::join(usual, ", "), fitting.empty() ? "none has" : "several have",
                                     fmt::join(expected, ", ")));
    }
    return fitting[0];
}

/// The format of arrays that lies there; null for HDF5, which has datasets, and for images.
const Format* format_of_arrays(const std::string& path) {
    return H5File::looks_like_hdf5(path) ? nullptr : format_of(path, &Format::read_array);
}

InputError misfit(const std::string& where, const std::string& found, const std::string& what,
                  const std::vector<Index>& expected, const std::string& advice = "") {
    return InputError(fmt::format("{} is {}, expected {} of shape [{}], slowest axis first, for this scan{}", where,
                                  found, what, fmt::join(expected, ", "), advice));
}

StoredCoilMaps maps_of_array(StoredArray array, const std::vector<Index>& expected) {
    require_slices_before_coils(array);
    const Index slice_count = slices_of_maps(array.extents, expected);
    if (slice_count == 0) {
        throw misfit(array.where + ":", array.extents_text(), what_maps, expected,
                     "; `matrix` gives the image another size");
    }
    log_info("coil maps from {}", array.where);
    return {array.take_complex(), counted_slices(slice_count)};
}

/// Of an image of several slices, whose maps are beside the first frame of each.
StoredCoilMaps maps_of_frames(const H5File& file, const std::vector<Index>& expected) {
    StoredCoilMaps maps;
    const std::string labels = "/frames/slice";
    if (file.has_dataset("/coil_maps") || !file.has_dataset(labels)) {
        return maps;
    }
    const std::vector<Index> slices = file.read<Index>(labels);
    for (std::size_t frame = 0; frame < slices.size(); ++frame) {
        const std::string dataset = fmt::format("/frame_{}/coil_maps", frame);
        if (!file.has_dataset(dataset)) {
            continue;
        }
        const H5Info info = file.dataset_info(dataset);
        if (!fits(info, expected)) {
            throw misfit(file.path() + ": " + dataset, info.text(), what_maps, expected);
        }
        const std::vector<cfloat> values = file.read<cfloat>(dataset);
        maps.values.insert(maps.values.end(), values.begin(), values.end());
        maps.slices.push_back(slices[frame]);
    }
    return maps;
}

StoredCoilMaps maps_of_hdf5(const std::string& path, const std::string& asked, const Texts& usual,
                            const std::vector<Index>& expected) {
    const H5File file = H5File::open(path);
    StoredCoilMaps of_frames = asked.empty() ? maps_of_frames(file, expected) : StoredCoilMaps();
    if (of_frames.slices.size() > 1) {
        log_info("coil maps from {}, of {} slices", path, of_frames.slices.size());
        return of_frames;
    }
    const std::string dataset = find_array(file, asked, usual, what_maps, expected);
    const H5Info info = file.dataset_info(dataset);
    const Index slice_count = is_numeric(info) ? slices_of_maps(info.extents, expected) : 0;
    if (slice_count == 0) {
        throw misfit(path + ": " + dataset, info.text(), what_maps, expected);
    }
    log_info("coil maps from {}, dataset {}", path, dataset);
    return {file.read<cfloat>(dataset), counted_slices(slice_count)};
}

/// Formats without named arrays: an image with a frame a coil.
std::vector<cfloat> maps_of_image(const std::string& path, const PerAxis<Index>& matrix_size, Index coil_count) {
    Image image = read_placed_image(path).image;
    if (image.geometry.matrix_size != matrix_size || image.frame_count() != coil_count) {
        const PerAxis<Index>& found = image.geometry.matrix_size;
        throw InputError(fmt::format("{}: holds {} volumes of {} x {} x {}, expected coil maps: {} of {} x {} x {}",
                                     path, image.frame_count(), found[0], found[1], found[2], coil_count,
                                     matrix_size[0], matrix_size[1], matrix_size[2]));
    }
    log_info("coil maps from {}", path);
    return std::move(image.voxels);
}

}  // namespace

StoredCoilMaps read_coil_maps(const std::string& path, const PerAxis<Index>& matrix_size, Index coil_count,
                              const std::string& dataset) {
    const Texts& usual = usual_maps();
    const std::vector<Index> expected{coil_count, matrix_size[2], matrix_size[1], matrix_size[0]};
    require_file_or_folder(path);
    const bool is_other = !H5File::looks_like_hdf5(path) && std::filesystem::exists(path);
    const Format* const arrays = format_of_arrays(path);
    StoredCoilMaps maps = arrays != nullptr ? maps_of_array(arrays->read_array(path, {dataset, usual}), expected)
                          : is_other        ? StoredCoilMaps{maps_of_image(path, matrix_size, coil_count), {}}
                                            : maps_of_hdf5(path, dataset, usual, expected);
    check_maps_of_slices(maps, matrix_size, coil_count, path);
    return maps;
}

std::vector<Index> extents_of_coil_maps(const std::string& path, const std::string& dataset) {
    require_file_or_folder(path);
    if (const Format* const arrays = format_of_arrays(path)) {
        return arrays->read_array(path, {dataset, usual_maps()}).extents;
    }
    if (H5File::looks_like_hdf5(path)) {
        const H5File file = H5File::open(path);
        for (const std::string& name : dataset.empty() ? usual_maps() : Texts{dataset}) {
            const std::string place = name.starts_with('/') ? name : "/" + name;
            if (file.has_dataset(place)) {
                return file.dataset_info(place).extents;
            }
        }
    }
    return {};
}

std::vector<cdouble> read_noise_covariance(const std::string& path, Index coil_count, const std::string& dataset) {
    const Texts usual{"noise_covariance", "covariance"};
    const char* const what = "noise covariance";
    const std::vector<Index> expected{coil_count, coil_count};
    require_file_or_folder(path);
    std::vector<cdouble> rows;
    if (const Format* const arrays = format_of_arrays(path)) {
        StoredArray array = arrays->read_array(path, {dataset, usual});
        if (!same_shape(array.extents, expected)) {
            throw misfit(array.where + ":", array.extents_text(), what, expected);
        }
        log_info("{} from {}", what, array.where);
        const std::vector<cfloat> values = array.take_complex();
        rows.assign(values.begin(), values.end());
    } else {
        const H5File file = H5File::open(path);
        const std::string found = find_array(file, dataset, usual, what, expected);
        const H5Info info = file.dataset_info(found);
        if (!fits(info, expected)) {
            throw misfit(path + ": " + found, info.text(), what, expected);
        }
        log_info("{} from {}, dataset {}", what, path, found);
        rows = file.read<cdouble>(found);
    }
    std::vector<cdouble> columns;
    for (Index c2 = 0; c2 < coil_count; ++c2) {
        for (Index c = 0; c < coil_count; ++c) {
            columns.push_back(rows[c * coil_count + c2]);
        }
    }
    return columns;
}

}  // namespace recon
