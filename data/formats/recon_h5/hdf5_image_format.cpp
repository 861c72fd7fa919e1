// Images and arrays in HDF5 files of any layout: the project's own, MRD arrays, plain numbers.

#include <algorithm>
#include <cmath>
#include <optional>

#include "data/files/hdf5_file.hpp"
#include "data/files/numeric_datasets.hpp"
#include "data/reading/format.hpp"
#include "data/reading/scan/frame_labels.hpp"

namespace recon {
namespace {

bool is_number(H5Kind kind) { return kind == H5Kind::real || kind == H5Kind::integer; }

/// Three finite numbers of an attribute; none if it is absent or anything else.
std::optional<PerAxis<double>> three_numbers(const H5File& file, const std::string& object, const std::string& name) {
    if (!file.has_attribute(object, name)) {
        return std::nullopt;
    }
    const H5Info info = file.attribute_info(object, name);
    if (!is_number(info.kind) || info.element_count() != 3) {
        return std::nullopt;
    }
    const auto values = file.read_attribute<double>(object, name);
    if (!std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); })) {
        return std::nullopt;
    }
    return PerAxis<double>{values[0], values[1], values[2]};
}

std::optional<Orientation> usable(const Orientation& orientation) {
    return is_usable(orientation) ? std::optional(orientation) : std::nullopt;
}

std::optional<Orientation> orientation_attributes(const H5File& file, const std::string& object) {
    const auto centre = three_numbers(file, object, "centre_mm");
    const auto x = three_numbers(file, object, "x_direction");
    const auto y = three_numbers(file, object, "y_direction");
    const auto z = three_numbers(file, object, "z_direction");
    return centre && x && y && z ? usable({*centre, *x, *y, *z}) : std::nullopt;
}

void set_lengths(const std::optional<PerAxis<double>>& field_of_view_mm, Geometry& geometry) {
    if (field_of_view_mm &&
        std::all_of(field_of_view_mm->begin(), field_of_view_mm->end(), [](double length) { return length >= 0; })) {
        geometry.field_of_view_mm = *field_of_view_mm;
    }
}

/// What a scan file of the project says of the image, where its matrix is `geometry`'s.
void take_scan_geometry(const H5File& file, Geometry& geometry) {
    const auto matrix = three_numbers(file, "/", "matrix_size");
    if (!matrix || !std::equal(matrix->begin(), matrix->end(), geometry.matrix_size.begin(),
                               [](double a, Index b) { return a == static_cast<double>(b); })) {
        return;
    }
    set_lengths(three_numbers(file, "/", "field_of_view_mm"), geometry);
    if (!file.has_dataset("/orientation")) {
        return;
    }
    const H5Info info = file.dataset_info("/orientation");
    if (is_number(info.kind) && info.extents == std::vector<Index>{4, 3}) {
        const auto rows = file.read<double>("/orientation");
        const auto row = [&](std::size_t r) { return PerAxis<double>{rows[3 * r], rows[3 * r + 1], rows[3 * r + 2]}; };
        geometry.orientation = usable({row(0), row(1), row(2), row(3)});
    }
}

/// Which images of a series the frames of one of the project's images are, and where each lies.
void take_frames(const H5File& file, const std::string& dataset, Image& image) {
    const std::string group = dataset.substr(0, dataset.rfind('/')) + "/frames/";
    for (const LabelPart& part : label_parts) {
        const std::string path = group + part.name;
        if (file.has_dataset(path) && file.dataset_info(path).kind == H5Kind::integer &&
            file.dataset_info(path).extents == std::vector<Index>{image.frame_count()}) {
            const std::vector<Index> values = file.read<Index>(path);
            for (std::size_t frame = 0; frame < values.size(); ++frame) {
                image.frames[frame].label.*part.value = values[frame];
            }
        }
    }
    const auto rows = [&](const char* name) {
        const std::string path = group + name;
        return file.has_dataset(path) && is_number(file.dataset_info(path).kind) &&
                       file.dataset_info(path).extents == std::vector<Index>{image.frame_count(), 3}
                   ? file.read<double>(path)
                   : std::vector<double>();
    };
    const auto centre = rows("centre_mm"), x = rows("x_direction"), y = rows("y_direction"), z = rows("z_direction");
    if (centre.empty() || x.empty() || y.empty() || z.empty()) {
        return;
    }
    for (Index frame = 0; frame < image.frame_count(); ++frame) {
        const auto of_frame = [&](const std::vector<double>& values) {
            return PerAxis<double>{values[3 * frame], values[3 * frame + 1], values[3 * frame + 2]};
        };
        image.frames[frame].orientation = usable({of_frame(centre), of_frame(x), of_frame(y), of_frame(z)});
    }
}

Geometry placed_geometry(const H5File& file, const std::string& dataset, PerAxis<Index> matrix_size) {
    Geometry geometry;
    geometry.matrix_size = matrix_size;
    const bool is_scan = file.has_attribute("/", "matrix_size");
    if (is_scan) {
        take_scan_geometry(file, geometry);
    }
    set_lengths(three_numbers(file, dataset, "field_of_view_mm"), geometry);
    if (const auto own = orientation_attributes(file, dataset)) {
        geometry.orientation = own;
    }
    return geometry;
}

bool is_hdf5(const std::string& path) { return H5File::looks_like_hdf5(path); }

StoredImage read_hdf5_image(const std::string& path, const std::string& dataset) {
    StoredImage stored = read_image(path, dataset);
    const H5File file = H5File::open(path);
    stored.image.geometry = placed_geometry(file, stored.dataset, stored.image.geometry.matrix_size);
    take_frames(file, stored.dataset, stored.image);
    return stored;
}

StoredArray read_hdf5_array(const std::string& path, const ArrayName& name) {
    const H5File file = H5File::open(path);
    const std::string dataset = choose_array(numeric_datasets(file), name, path);
    file.require_plausible_size(dataset);
    StoredArray array;
    array.where = path + ", dataset " + dataset;
    const H5Info info = file.dataset_info(dataset);
    array.extents = info.extents;
    if (info.kind == H5Kind::complex) {
        array.values = file.read<cfloat>(dataset);
    } else {
        array.values = file.read<double>(dataset);
    }
    if (file.has_attribute(dataset, "unit")) {
        array.unit = recognise_trajectory_unit(file.read_attribute_scalar<std::string>(dataset, "unit"));
        array.unit_stated_by = "the attribute unit of " + dataset;
    }
    return array;
}

const Registration registered_hdf5(formats(), Format{.name = "hdf5",
                                                     .title = "an HDF5 file",
                                                     .recognises = is_hdf5,
                                                     .read_image = read_hdf5_image,
                                                     .read_array = read_hdf5_array});

}  // namespace
}  // namespace recon
