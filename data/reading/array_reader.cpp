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

/// Extents of 1 may be missing or added.
bool same_shape(std::vector<Index> found, std::vector<Index> expected) {
    std::erase(found, 1);
    std::erase(expected, 1);
    return found == expected;
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

template <class T>
std::vector<T> read_fitting(const std::string& path, const std::string& asked, const Texts& usual,
                            const std::string& what, const std::vector<Index>& expected) {
    const H5File file = H5File::open(path);
    const std::string dataset = find_array(file, asked, usual, what, expected);
    const H5Info info = file.dataset_info(dataset);
    if (!fits(info, expected)) {
        throw InputError(fmt::format("{}: {} is {}, expected {} of shape [{}], slowest axis first, for this scan", path,
                                     dataset, info.text(), what, fmt::join(expected, ", ")));
    }
    log_info("{} from {}, dataset {}", what, path, dataset);
    return file.read<T>(dataset);
}

/// The format of arrays that lies there; null for HDF5, which has datasets, and for images.
const Format* format_of_arrays(const std::string& path) {
    return H5File::looks_like_hdf5(path) ? nullptr : format_of(path, &Format::read_array);
}

std::vector<cfloat> array_of_format(const std::string& path, const std::string& dataset, const Format& format,
                                    const Texts& usual, const std::string& what, const std::vector<Index>& expected,
                                    const std::string& advice = "") {
    StoredArray array = format.read_array(path, {dataset, usual});
    if (!same_shape(array.extents, expected)) {
        throw InputError(fmt::format("{}: is {}, expected {} [{}], slowest axis first, for this scan{}", array.where,
                                     array.extents_text(), what, fmt::join(expected, ", "), advice));
    }
    log_info("{} from {}", what, array.where);
    return array.take_complex();
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

std::vector<cfloat> read_coil_maps(const std::string& path, const PerAxis<Index>& matrix_size, Index coil_count,
                                   const std::string& dataset) {
    const Texts usual{"coil_maps", "csm", "sensitivities", "maps"};
    const std::vector<Index> expected{coil_count, matrix_size[2], matrix_size[1], matrix_size[0]};
    require_file_or_folder(path);
    const bool is_other = !H5File::looks_like_hdf5(path) && std::filesystem::exists(path);
    const Format* const arrays = format_of_arrays(path);
    std::vector<cfloat> maps = arrays != nullptr ? array_of_format(path, dataset, *arrays, usual, "coil maps", expected,
                                                                   "; `matrix` gives the image another size")
                               : is_other        ? maps_of_image(path, matrix_size, coil_count)
                                                 : read_fitting<cfloat>(path, dataset, usual, "coil maps", expected);
    check_coil_maps(maps, matrix_size, coil_count, path);
    return maps;
}

std::vector<cdouble> read_noise_covariance(const std::string& path, Index coil_count, const std::string& dataset) {
    const Texts usual{"noise_covariance", "covariance"};
    const char* const what = "noise covariance";
    require_file_or_folder(path);
    std::vector<cdouble> rows;
    if (const Format* const arrays = format_of_arrays(path)) {
        const std::vector<cfloat> values =
            array_of_format(path, dataset, *arrays, usual, what, {coil_count, coil_count});
        rows.assign(values.begin(), values.end());
    } else {
        rows = read_fitting<cdouble>(path, dataset, usual, what, {coil_count, coil_count});
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
