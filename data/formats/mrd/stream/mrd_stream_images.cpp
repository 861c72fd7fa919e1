#include "data/formats/mrd/stream/mrd_stream_images.hpp"

#include <fmt/format.h>
#include <ismrmrd/version.h>

#include <algorithm>
#include <complex>
#include <cstring>

#include "core/base/error.hpp"
#include "data/files/write_bytes.hpp"
#include "data/formats/mrd/mrd_count.hpp"
#include "data/formats/mrd/mrd_orientation.hpp"
#include "data/formats/mrd/stream/mrd_stream.hpp"
#include "data/formats/mrd/stream/mrd_stream_output.hpp"

namespace recon {
namespace {

using ImageHead = MrdStream::ImageHead;

template <class T>
void append_converted(const MrdStream& stream, std::size_t offset, std::size_t count, std::vector<cfloat>& voxels) {
    for (const T& value : stream.read<T>(offset, count)) {
        if constexpr (std::is_arithmetic_v<T>) {
            voxels.emplace_back(static_cast<float>(value));
        } else {
            voxels.emplace_back(static_cast<float>(value.real()), static_cast<float>(value.imag()));
        }
    }
}

void append_voxels(const MrdStream& stream, Index index, std::size_t count, std::vector<cfloat>& voxels) {
    const std::size_t offset = stream.image_offset(index);
    switch (stream.images()[static_cast<std::size_t>(index)].data_type) {
        case ISMRMRD::ISMRMRD_USHORT: return append_converted<std::uint16_t>(stream, offset, count, voxels);
        case ISMRMRD::ISMRMRD_SHORT: return append_converted<std::int16_t>(stream, offset, count, voxels);
        case ISMRMRD::ISMRMRD_UINT: return append_converted<std::uint32_t>(stream, offset, count, voxels);
        case ISMRMRD::ISMRMRD_INT: return append_converted<std::int32_t>(stream, offset, count, voxels);
        case ISMRMRD::ISMRMRD_FLOAT: return append_converted<float>(stream, offset, count, voxels);
        case ISMRMRD::ISMRMRD_DOUBLE: return append_converted<double>(stream, offset, count, voxels);
        case ISMRMRD::ISMRMRD_CXFLOAT: return append_converted<cfloat>(stream, offset, count, voxels);
        default: return append_converted<cdouble>(stream, offset, count, voxels);
    }
}

PerAxis<Index> matrix_of(const ImageHead& head) {
    return {Index{head.matrix_size[0]}, Index{head.matrix_size[1]}, Index{head.matrix_size[2]}};
}

/// The head is packed: its numbers need not lie where a float may.
void set_vector(void* to, const PerAxis<double>& from) {
    const PerAxis<float> values{static_cast<float>(from[0]), static_cast<float>(from[1]), static_cast<float>(from[2])};
    std::memcpy(to, values.data(), sizeof values);
}

ImageHead head_of(const Image& image, Index index, const std::string& path) {
    ImageHead head{};
    head.version = ISMRMRD_VERSION_MAJOR;
    head.data_type = ISMRMRD::ISMRMRD_CXFLOAT;
    head.image_type = ISMRMRD::ISMRMRD_IMTYPE_COMPLEX;
    head.channels = 1;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        head.matrix_size[axis] = mrd_count(image.geometry.matrix_size[axis], path, "the matrix size");
    }
    set_vector(&head.field_of_view, image.geometry.field_of_view_mm);
    if (const std::optional<Orientation>& place = image.orientation(index)) {
        set_vector(&head.position, place->centre_mm);
        set_vector(&head.read_dir, place->x_direction);
        set_vector(&head.phase_dir, place->y_direction);
        set_vector(&head.slice_dir, place->z_direction);
    }
    const FrameLabel& label = image.frames[static_cast<std::size_t>(index)].label;
    head.contrast = mrd_count(label.contrast, path, "the contrast");
    head.repetition = mrd_count(label.repetition, path, "the repetition");
    head.set = mrd_count(label.set, path, "the set");
    head.slice = mrd_count(label.slice, path, "the slice");
    head.phase = mrd_count(label.phase, path, "the phase");
    head.image_index = mrd_count(index + 1, path, "the number of frames");
    return head;
}

}  // namespace

StoredImage read_mrd_stream_images(const std::string& path, const std::string& dataset) {
    require_no_dataset(path, dataset, "a stream of MRD");
    const MrdStream stream(path);
    if (stream.images().empty()) {
        throw InputError(fmt::format("{}: this stream holds no image", path));
    }
    const ImageHead& first = stream.images().front();
    Image image;
    image.frames.clear();
    image.geometry.matrix_size = matrix_of(first);
    PerAxis<float> extent_mm;
    std::memcpy(extent_mm.data(), &first.field_of_view, sizeof extent_mm);
    std::copy(extent_mm.begin(), extent_mm.end(), image.geometry.field_of_view_mm.begin());
    for (std::size_t i = 0; i < stream.images().size(); ++i) {
        const ImageHead& head = stream.images()[i];
        if (matrix_of(head) != image.geometry.matrix_size) {
            throw InputError(fmt::format("{}: image {} is {} x {} x {}, expected {} x {} x {} as the first one", path,
                                         i, matrix_of(head)[0], matrix_of(head)[1], matrix_of(head)[2],
                                         image.geometry.matrix_size[0], image.geometry.matrix_size[1],
                                         image.geometry.matrix_size[2]));
        }
        ImageFrame frame;
        frame.label = {Index{head.contrast}, Index{head.repetition}, Index{head.set}, Index{head.slice},
                       Index{head.phase}};
        MrdAcquisitions::Head place{};
        std::memcpy(&place.position, &head.position, sizeof place.position);
        std::memcpy(&place.read_dir, &head.read_dir, sizeof place.read_dir);
        std::memcpy(&place.phase_dir, &head.phase_dir, sizeof place.phase_dir);
        std::memcpy(&place.slice_dir, &head.slice_dir, sizeof place.slice_dir);
        frame.orientation = mrd_orientation(place);
        image.frames.insert(image.frames.end(), head.channels, frame);
        append_voxels(stream, static_cast<Index>(i), static_cast<std::size_t>(image.voxel_count()) * head.channels,
                      image.voxels);
    }
    if (std::ranges::all_of(image.frames, [](const ImageFrame& frame) { return frame.orientation.has_value(); })) {
        image.geometry.orientation = image.frames.front().orientation;
    }
    return {"", std::move(image)};
}

void write_mrd_stream_images(const Image& image, const std::string& path) {
    MrdStreamOutput output;
    for (Index frame = 0; frame < image.frame_count(); ++frame) {
        const ImageHead head = head_of(image, frame, path);
        output.begin(MrdMessage::image);
        output.append(&head, sizeof head);
        const std::uint64_t no_attributes = 0;
        output.append(&no_attributes, sizeof no_attributes);
        const std::span<const cfloat> voxels = image.frame(frame);
        output.append(voxels.data(), voxels.size_bytes());
    }
    output.begin(MrdMessage::close);
    write_bytes(path, output.bytes());
}

}  // namespace recon
