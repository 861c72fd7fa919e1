#include "data/formats/recon_h5/image_hdf5_writer.hpp"

#include <algorithm>
#include <vector>

#include "data/files/json_to_hdf5.hpp"
#include "data/reading/scan/frame_labels.hpp"

namespace recon {
namespace {

std::vector<double> list(const PerAxis<double>& values) { return {values.begin(), values.end()}; }

/// Of every axis with more than one voxel: the thickness of a slice need not be.
bool lengths_known(const Geometry& geometry) {
    bool known = geometry.field_of_view_mm != PerAxis<double>{0, 0, 0};
    for (int axis = 0; axis < 3; ++axis) {
        known = known && (geometry.matrix_size[axis] == 1 || geometry.field_of_view_mm[axis] > 0);
    }
    return known;
}

void write_frames(H5File& file, const Image& image, const std::string& group) {
    for (const LabelPart& part : label_parts) {
        std::vector<Index> values;
        for (const ImageFrame& frame : image.frames) {
            values.push_back(frame.label.*part.value);
        }
        file.write(group + "/" + part.name, values);
    }

    const bool all_placed = std::all_of(image.frames.begin(), image.frames.end(), [&](const ImageFrame& f) {
        return f.orientation || image.geometry.orientation;
    });
    if (!all_placed) {
        return;
    }
    const auto vectors = [&](const char* name, PerAxis<double> Orientation::*member) {
        std::vector<double> values;
        for (Index frame = 0; frame < image.frame_count(); ++frame) {
            const PerAxis<double>& vector = (*image.orientation(frame)).*member;
            values.insert(values.end(), vector.begin(), vector.end());
        }
        file.write(group + "/" + name, {image.frame_count(), 3}, values);
    };
    vectors("centre_mm", &Orientation::centre_mm);
    vectors("x_direction", &Orientation::x_direction);
    vectors("y_direction", &Orientation::y_direction);
    vectors("z_direction", &Orientation::z_direction);
}

void write_image(H5File& file, const Image& image, const std::string& dataset, const std::string& frames_group) {
    image.require_consistent();
    const Geometry& geometry = image.geometry;
    std::vector<Index> extents{geometry.matrix_size.rbegin(), geometry.matrix_size.rend()};
    std::vector<std::string> axes{"z", "y", "x"};
    if (image.frame_count() > 1) {
        extents.insert(extents.begin(), image.frame_count());
        axes.insert(axes.begin(), "frame");
    }
    file.write(dataset, extents, image.voxels);
    file.write_attribute(dataset, "axes", axes);
    file.write_attribute(dataset, "DIMENSION_LABELS", axes);  // where HDF5's own tools look for them

    // Everything below is in the order x, y, z, whatever the order of the axes in the file.
    file.write_attribute(dataset, "vector_components", std::vector<std::string>{"x", "y", "z"});
    if (lengths_known(geometry)) {
        file.write_attribute(dataset, "voxel_size_mm", list(geometry.voxel_size_mm()));
        file.write_attribute(dataset, "field_of_view_mm", list(geometry.field_of_view_mm));
    }
    if (geometry.orientation) {
        file.write_attribute(dataset, "coordinate_system", "LPS");
        file.write_attribute(dataset, "centre_mm", list(geometry.orientation->centre_mm));
        file.write_attribute(dataset, "x_direction", list(geometry.orientation->x_direction));
        file.write_attribute(dataset, "y_direction", list(geometry.orientation->y_direction));
        file.write_attribute(dataset, "z_direction", list(geometry.orientation->z_direction));
    }
    write_frames(file, image, frames_group);
}

void write_extra(H5File& file, const NamedArray& extra) {
    const std::string dataset = "/" + extra.name;
    std::visit([&](const auto& values) { file.write(dataset, extra.extents, values); }, extra.values);
    file.write_attribute(dataset, "axes", extra.axes);
    file.write_attribute(dataset, "DIMENSION_LABELS", extra.axes);
    if (!extra.unit.empty()) {
        file.write_attribute(dataset, "unit", extra.unit);
    }
}

}  // namespace

H5File& ImageHdf5Writer::file() {
    if (!file_) {
        file_.emplace(H5File::create(output_.temporary_path()));
        file_->write_attribute("/", "format", "recon-image");
        file_->write_attribute("/", "version", Index{1});
    }
    return *file_;
}

void ImageHdf5Writer::write_ahead(const Image& image, std::span<const NamedArray> extras) {
    if (output_.is_direct()) {
        return;
    }
    write_image(file(), image, "/image", "/frames");
    has_image_ = true;
    std::ranges::for_each(extras, [this](const NamedArray& extra) { write_once(extra); });
    output_.synchronize_ahead();
}

void ImageHdf5Writer::write_ahead(const NamedArray& extra) {
    if (!output_.is_direct()) {
        write_once(extra);
        output_.synchronize_ahead();
    }
}

void ImageHdf5Writer::write_once(const NamedArray& extra) {
    if (extras_written_.insert(extra.name).second) {
        write_extra(file(), extra);
    }
}

void ImageHdf5Writer::finish(const ImageFile& contents) {
    if (!has_image_) {
        write_image(file(), contents.image, "/image", "/frames");
    }
    if (contents.baseline != nullptr) {
        write_image(file(), *contents.baseline, "/baseline/image", "/baseline/frames");
    }
    std::ranges::for_each(contents.extras, [this](const NamedArray& extra) { write_once(extra); });
    if (contents.more) {
        contents.more(file());
    }
    write_json_to_hdf5(file(), "/run", contents.run);
    file().close();
    output_.commit();
}

void write_image_hdf5(const std::string& path, const ImageFile& contents) { ImageHdf5Writer(path).finish(contents); }

}  // namespace recon
