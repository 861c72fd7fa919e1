#include "data/formats/recon_h5/image_hdf5_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/error.hpp"
#include "data/reading/scan/frame_labels.hpp"

namespace recon {
namespace {

std::optional<PerAxis<double>> attribute_of_three(const H5File& file, const std::string& object,
                                                  const std::string& name) {
    if (!file.has_attribute(object, name)) {
        return std::nullopt;
    }
    const std::vector<double> values = file.read_attribute<double>(object, name);
    if (values.size() != 3 || !std::ranges::all_of(values, [](double value) { return std::isfinite(value); })) {
        throw InputError(
            fmt::format("{}: attribute {} of {}: expected three finite numbers", file.path(), name, object));
    }
    return PerAxis<double>{values[0], values[1], values[2]};
}

/// A dataset of the frames' group. @param columns  0: one number a frame
template <class T>
std::vector<T> column_of_frames(const H5File& file, const std::string& dataset, Index frame_count, Index columns) {
    const H5Info info = file.dataset_info(dataset);
    const std::vector<Index> expected = columns > 0 ? std::vector{frame_count, columns} : std::vector{frame_count};
    if (info.extents != expected) {
        throw InputError(fmt::format("{}: dataset {} is {}, expected numbers of {} frames", file.path(), dataset,
                                     info.text(), frame_count));
    }
    return file.read<T>(dataset);
}

void read_labels_of_frames(const H5File& file, const std::string& group, Image& image) {
    for (const LabelPart& part : label_parts) {
        const std::string dataset = group + "/" + part.name;
        if (!file.has_dataset(dataset)) {
            continue;
        }
        const std::vector<Index> values = column_of_frames<Index>(file, dataset, image.frame_count(), 0);
        for (std::size_t i = 0; i < values.size(); ++i) {
            image.frames[i].label.*part.value = values[i];
        }
    }
}

void read_places_of_frames(const H5File& file, const std::string& group, Image& image) {
    if (!file.has_dataset(group + "/centre_mm")) {
        return;
    }
    for (ImageFrame& frame : image.frames) {
        frame.orientation.emplace();
    }
    const auto take = [&](const char* name, PerAxis<double> Orientation::*member) {
        const std::vector<double> values = column_of_frames<double>(file, group + "/" + name, image.frame_count(), 3);
        for (std::size_t i = 0; i < image.frames.size(); ++i) {
            (*image.frames[i].orientation).*member = {values[3 * i], values[3 * i + 1], values[3 * i + 2]};
        }
    };
    take("centre_mm", &Orientation::centre_mm);
    take("x_direction", &Orientation::x_direction);
    take("y_direction", &Orientation::y_direction);
    take("z_direction", &Orientation::z_direction);
}

}  // namespace

bool is_image_hdf5(const H5File& file) {
    return file.has_attribute("/", "format") && file.attribute_info("/", "format").kind == H5Kind::text &&
           file.read_attribute_scalar<std::string>("/", "format") == "recon-image" && file.has_dataset("/image");
}

Image read_image_hdf5(const H5File& file, const std::string& group) {
    const std::string dataset = group + "/image";
    const std::vector<Index> extents = file.dataset_info(dataset).extents;
    if (extents.size() < 3 || extents.size() > 4) {
        throw InputError(fmt::format("{}: dataset {} is {}, expected [z, y, x] or [frame, z, y, x]", file.path(),
                                     dataset, file.dataset_info(dataset).text()));
    }
    Image image;
    image.geometry.matrix_size = {extents.end()[-1], extents.end()[-2], extents.end()[-3]};
    image.frames.resize(static_cast<std::size_t>(extents.size() == 4 ? extents[0] : 1));
    image.geometry.field_of_view_mm =
        attribute_of_three(file, dataset, "field_of_view_mm").value_or(PerAxis<double>{0, 0, 0});
    if (const auto centre = attribute_of_three(file, dataset, "centre_mm")) {
        const auto direction = [&](const char* name, const PerAxis<double>& otherwise) {
            return attribute_of_three(file, dataset, name).value_or(otherwise);
        };
        image.geometry.orientation =
            Orientation{*centre, direction("x_direction", {1, 0, 0}), direction("y_direction", {0, 1, 0}),
                        direction("z_direction", {0, 0, 1})};
    }
    read_labels_of_frames(file, group + "/frames", image);
    read_places_of_frames(file, group + "/frames", image);
    image.voxels = file.read<cfloat>(dataset);
    image.require_consistent();
    return image;
}

FrameExtras extras_of_frame(const H5File& file, Index frame, Index frame_count) {
    if (frame_count > 1) {
        const std::string group = fmt::format("/frame_{}", frame);
        return {group + "/", file.has_group(group) ? file.names_in(group) : std::vector<std::string>()};
    }
    FrameExtras extras{"/", file.names_in("/")};
    std::erase_if(extras.names, [](const std::string& name) {
        return name == "image" || name == "frames" || name == "baseline" || name == "run" || name == "coverage";
    });
    return extras;
}

}  // namespace recon
