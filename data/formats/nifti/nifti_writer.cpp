#include "data/formats/nifti/nifti_writer.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/log.hpp"
#include "core/mri/slice_stack.hpp"
#include "data/files/write_bytes.hpp"
#include "data/formats/nifti/nifti_header.hpp"
#include "data/reading/format.hpp"

namespace recon {

namespace {

// nifti1.h
constexpr std::int16_t datatype_float32 = 16, datatype_complex64 = 32;
constexpr char units_mm = 2;

std::int16_t nifti_extent(Index extent, const std::string& path, const char* axis) {
    constexpr Index largest = std::numeric_limits<std::int16_t>::max();
    if (extent > largest) {
        throw InputError(
            fmt::format("{}: {} has {} elements, more than the {} that NIfTI-1 can hold; keep the HDF5 "
                        "file instead",
                        path, axis, extent, largest));
    }
    return static_cast<std::int16_t>(extent);
}

/// Sizes in mm; 1 where unknown, as viewers cannot do without.
PerAxis<double> display_voxel_size(const Geometry& geometry) {
    PerAxis<double> size = geometry.voxel_size_mm();
    std::replace_if(
        size.begin(), size.end(), [](double s) { return !(s > 0); }, 1.0);
    return size;
}

bool has_known_voxel_size(const Geometry& geometry) {
    const auto& fov = geometry.field_of_view_mm;
    return std::all_of(fov.begin(), fov.end(), [](double length) { return length > 0; });
}

bool frames_differ_in_place(const Image& image) {
    const auto& first = image.orientation(0);
    for (Index frame = 1; frame < image.frame_count(); ++frame) {
        const auto& other = image.orientation(frame);
        if (other.has_value() != first.has_value() ||
            (first && (other->centre_mm != first->centre_mm || other->x_direction != first->x_direction ||
                       other->y_direction != first->y_direction || other->z_direction != first->z_direction))) {
            return true;
        }
    }
    return false;
}

NiftiHeader make_header(const std::string& path, const Image& image, NiftiValues values) {
    const Geometry& geometry = image.geometry;
    const PerAxis<double> voxel_size_mm = display_voxel_size(geometry);
    NiftiHeader header;
    header.dim.fill(1);
    header.dim[0] = image.frame_count() > 1 ? 4 : 3;
    header.pixdim.fill(1);
    constexpr std::array<const char*, 3> names{"x", "y", "z"};
    for (int axis = 0; axis < 3; ++axis) {
        header.dim[1 + axis] = nifti_extent(geometry.matrix_size[axis], path, names[axis]);
        header.pixdim[1 + axis] = static_cast<float>(voxel_size_mm[axis]);
    }
    header.dim[4] = nifti_extent(image.frame_count(), path, "the series of frames");
    header.datatype = values == NiftiValues::magnitude ? datatype_float32 : datatype_complex64;
    header.bitpix = static_cast<std::int16_t>(8 * (values == NiftiValues::magnitude ? sizeof(float) : sizeof(cfloat)));
    header.xyzt_units = has_known_voxel_size(geometry) ? units_mm : 0;
    const char* description = values == NiftiValues::magnitude ? "recon: magnitude" : "recon: complex";
    std::strncpy(header.descrip, description, sizeof(header.descrip) - 1);

    const auto& orientation = image.orientation(0);
    if (orientation && is_usable(*orientation) && has_known_voxel_size(geometry)) {
        set_affine(header, nifti_affine(geometry.matrix_size, voxel_size_mm, *orientation));
    } else if (orientation) {
        log_warning("{}: the affine is left unknown, as the scan gives {}", path,
                    has_known_voxel_size(geometry) ? "axis directions that do not span space" : "no voxel size");
    }
    if (frames_differ_in_place(image)) {
        log_warning("{}: the frames lie in different places, NIfTI holds the position of the first alone", path);
    }
    return header;
}

std::vector<std::byte> gzip(const std::vector<std::byte>& bytes, const std::string& path) {
    z_stream stream{};
    constexpr int gzip_window = 15 + 16;  // zlib.h: the largest window, plus 16 for a gzip header
    constexpr int default_memory = 8;
    if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, gzip_window, default_memory, Z_DEFAULT_STRATEGY) !=
        Z_OK) {
        throw DeviceError(path + ": zlib could not start, most likely for lack of memory");
    }
    std::vector<std::byte> packed;
    std::vector<std::byte> block(1 << 20);
    std::size_t consumed = 0;
    int state = Z_OK;
    while (state != Z_STREAM_END) {
        if (stream.avail_in == 0) {  // zlib counts in 32 bits
            const std::size_t count = std::min<std::size_t>(bytes.size() - consumed, 1 << 30);
            stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(bytes.data() + consumed));
            stream.avail_in = static_cast<uInt>(count);
            consumed += count;
        }
        stream.next_out = reinterpret_cast<Bytef*>(block.data());
        stream.avail_out = static_cast<uInt>(block.size());
        state = deflate(&stream, consumed == bytes.size() ? Z_FINISH : Z_NO_FLUSH);
        packed.insert(packed.end(), block.begin(), block.end() - stream.avail_out);
    }
    deflateEnd(&stream);
    return packed;
}

}  // namespace

void write_nifti(const std::string& path, const Image& frames, NiftiValues values) {
    frames.require_consistent();
    const std::optional<Image> stacked = stack_slices(frames);
    const Image& image = stacked ? *stacked : frames;
    const NiftiHeader header = make_header(path, image, values);
    const std::size_t value_bytes = static_cast<std::size_t>(header.bitpix) / 8;
    const auto offset = static_cast<std::size_t>(header.vox_offset);
    std::vector<std::byte> bytes(offset + image.voxels.size() * value_bytes);
    std::memcpy(bytes.data(), &header, sizeof(header));
    if (values == NiftiValues::complex) {
        std::memcpy(bytes.data() + offset, image.voxels.data(), image.voxels.size() * value_bytes);
    } else {
        for (std::size_t n = 0; n < image.voxels.size(); ++n) {
            const float magnitude = std::abs(image.voxels[n]);
            std::memcpy(bytes.data() + offset + n * value_bytes, &magnitude, value_bytes);
        }
    }
    write_bytes(path, has_extension(path, ".gz") ? gzip(bytes, path) : bytes);
}

}  // namespace recon
