#include "data/formats/nifti/nifti_reader.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <memory>
#include <type_traits>

#include "core/base/error.hpp"
#include "core/base/log.hpp"
#include "data/formats/nifti/nifti_header.hpp"
#include "data/reading/scan/scan_checks.hpp"

namespace recon {
namespace {

constexpr std::size_t header_bytes = sizeof(NiftiHeader);

struct CloseGzip {
    void operator()(gzFile_s* file) const noexcept { gzclose(file); }
};

/// Bytes of a file in order, unpacked if it is a gzip file.
class Bytes {
public:
    explicit Bytes(const std::string& path) : path_(path), file_(gzopen(path.c_str(), "rb")) {
        std::error_code ignored;
        if (std::filesystem::is_directory(path, ignored)) {
            throw InputError(path + ": is a folder, expected a NIfTI file");
        }
        if (!file_) {
            throw InputError(path + ": no such file, or it cannot be read");
        }
        stored_ = std::filesystem::file_size(path, ignored);
    }

    /// How many of `count` bytes were there.
    std::size_t read_some(void* to, std::size_t count) {
        const int got = gzread(file_.get(), to, static_cast<unsigned>(count));
        return got < 0 ? 0 : static_cast<std::size_t>(got);
    }
    void read(void* to, std::size_t count) {
        const std::size_t got = read_some(to, count);
        if (got == count) {
            return;
        }
        int code = Z_OK;
        const char* reason = gzerror(file_.get(), &code);
        throw InputError(code == Z_OK || code == Z_BUF_ERROR || code == Z_STREAM_END
                             ? fmt::format("{}: ends {} bytes too early; the file is truncated", path_, count - got)
                             : fmt::format("{}: cannot be unpacked ({}); the file is damaged", path_, reason));
    }
    void skip(std::size_t count) {
        std::vector<char> ignored(1 << 16);
        for (std::size_t left = count; left > 0;) {
            const std::size_t piece = std::min(left, ignored.size());
            read(ignored.data(), piece);
            left -= piece;
        }
    }
    /// @throws InputError if a file of this size cannot hold so many bytes: asked before memory is
    void require_room_for(double byte_count) const {
        constexpr double best_packing = 1040;  // deflate: a match of 258 bytes takes two bits or more
        if (byte_count > best_packing * static_cast<double>(stored_)) {
            throw InputError(
                fmt::format("{}: its header promises {:.4g} bytes of voxels, more than a file of {} bytes can "
                            "hold; the file is truncated or damaged",
                            path_, byte_count, stored_));
        }
    }

private:
    std::string path_;
    std::unique_ptr<gzFile_s, CloseGzip> file_;
    std::uintmax_t stored_ = 0;
};

template <class T>
T swapped(T value) {
    auto bytes = std::bit_cast<std::array<std::byte, sizeof(T)>>(value);
    std::reverse(bytes.begin(), bytes.end());
    return std::bit_cast<T>(bytes);
}

void swap_fields(NiftiHeader& header) {
    const auto swap = [](auto&... fields) { ((fields = swapped(fields)), ...); };
    const auto swap_all = [](auto&... lists) {
        (std::transform(lists.begin(), lists.end(), lists.begin(), [](auto value) { return swapped(value); }), ...);
    };
    swap(header.sizeof_hdr, header.datatype, header.bitpix, header.vox_offset, header.scl_slope, header.scl_inter,
         header.qform_code, header.sform_code, header.quatern_b, header.quatern_c, header.quatern_d, header.qoffset_x,
         header.qoffset_y, header.qoffset_z);
    swap_all(header.dim, header.pixdim, header.srow_x, header.srow_y, header.srow_z);
}

bool has_magic(const NiftiHeader& header, const char* text) { return std::memcmp(header.magic, text, 3) == 0; }

struct ParsedHeader {
    NiftiHeader fields;
    bool is_swapped = false;
};

ParsedHeader read_header(Bytes& bytes, const std::string& path) {
    ParsedHeader header;
    bytes.read(&header.fields, header_bytes);
    NiftiHeader& fields = header.fields;
    constexpr std::int32_t nifti_2_bytes = 540;
    header.is_swapped = fields.sizeof_hdr == swapped(static_cast<std::int32_t>(header_bytes)) ||
                        fields.sizeof_hdr == swapped(nifti_2_bytes);
    if (header.is_swapped) {
        swap_fields(fields);
    }
    if (fields.sizeof_hdr == nifti_2_bytes) {
        throw InputError(path + ": is a NIfTI-2 file, expected NIfTI-1; convert it (nifti_tool, nibabel)");
    }
    if (fields.sizeof_hdr != static_cast<std::int32_t>(header_bytes)) {
        throw InputError(path + ": is no NIfTI file (it does not begin with its header's size, 348)");
    }
    if (has_magic(fields, "ni1")) {
        throw InputError(path + ": is the header of a NIfTI pair (.hdr, .img), expected one .nii file; convert it");
    }
    if (!has_magic(fields, "n+1")) {
        throw InputError(path + ": is no NIfTI-1 file (an ANALYZE 7.5 file, perhaps); convert it to .nii");
    }
    return header;
}

// Numbers, from the file's type.

float to_float(double value) { return static_cast<float>(value); }

template <class T>
cfloat number(const std::byte* at, bool is_swapped) {
    T value;
    std::memcpy(&value, at, sizeof(T));
    return to_float(static_cast<double>(is_swapped ? swapped(value) : value));
}

template <class T>
cfloat complex_number(const std::byte* at, bool is_swapped) {
    return {number<T>(at, is_swapped).real(), number<T>(at + sizeof(T), is_swapped).real()};
}

struct VoxelType {
    std::int16_t code;  ///< as in nifti1.h
    std::size_t byte_count;
    cfloat (*number)(const std::byte* at, bool is_swapped);
    bool is_complex = false;
};

constexpr std::array<VoxelType, 12> voxel_types{{{2, 1, number<std::uint8_t>},
                                                 {4, 2, number<std::int16_t>},
                                                 {8, 4, number<std::int32_t>},
                                                 {16, 4, number<float>},
                                                 {32, 8, complex_number<float>, true},
                                                 {64, 8, number<double>},
                                                 {256, 1, number<std::int8_t>},
                                                 {512, 2, number<std::uint16_t>},
                                                 {768, 4, number<std::uint32_t>},
                                                 {1024, 8, number<std::int64_t>},
                                                 {1280, 8, number<std::uint64_t>},
                                                 {1792, 16, complex_number<double>, true}}};

const VoxelType& voxel_type(const NiftiHeader& header, const std::string& path) {
    const auto type = std::find_if(voxel_types.begin(), voxel_types.end(),
                                   [&](const VoxelType& t) { return t.code == header.datatype; });
    if (type == voxel_types.end()) {
        throw InputError(
            fmt::format("{}: voxels are of NIfTI type {} (colours or extended floats), expected integers, "
                        "float32, float64, complex64 or complex128",
                        path, header.datatype));
    }
    if (header.bitpix != static_cast<int>(8 * type->byte_count)) {
        throw InputError(fmt::format("{}: its header says type {} of {} bits, expected {}; the file is damaged", path,
                                     header.datatype, header.bitpix, 8 * type->byte_count));
    }
    return *type;
}

struct NiftiExtents {
    PerAxis<Index> matrix_size{1, 1, 1};
    Index frame_count = 1;
};

NiftiExtents extents_of(const NiftiHeader& header, const std::string& path) {
    const int rank = header.dim[0];
    if (rank < 1 || rank > 7) {
        throw InputError(fmt::format("{}: its header says {} axes, expected 1 to 7; the file is damaged", path, rank));
    }
    NiftiExtents extents;
    constexpr Index most_frames = Index{1} << 31;
    for (int axis = 1; axis <= rank; ++axis) {
        const Index extent = header.dim[axis];
        if (extent < 1) {
            throw InputError(fmt::format("{}: axis {} has {} elements, expected 1 or more; the file is damaged", path,
                                         axis, extent));
        }
        if (axis <= 3) {
            extents.matrix_size[axis - 1] = extent;
        } else if (extents.frame_count > most_frames / extent) {
            throw InputError(path + ": has more frames than any machine holds; the file is damaged");
        } else {
            extents.frame_count *= extent;
        }
    }
    check_matrix_size(extents.matrix_size, path);
    return extents;
}

std::size_t voxels_begin(const NiftiHeader& header, const std::string& path) {
    constexpr float first = 352, last = 1 << 30;
    if (!(header.vox_offset >= first && header.vox_offset <= last)) {
        throw InputError(
            fmt::format("{}: voxels are said to begin at byte {}, expected 352 or later; the file is "
                        "damaged",
                        path, header.vox_offset));
    }
    return static_cast<std::size_t>(header.vox_offset);
}

struct Scaling {
    double slope = 1;
    double intercept = 0;
};

/// No scaling if the slope is 0 [nifti1.h] or not finite, as other readers have it.
Scaling scaling_of(const NiftiHeader& header, const std::string& path) {
    if (header.scl_slope == 0 || !std::isfinite(header.scl_slope)) {
        return {};
    }
    if (!std::isfinite(header.scl_inter)) {
        throw InputError(path + ": scl_inter is not finite; the file is damaged");
    }
    return {header.scl_slope, header.scl_inter};
}

std::vector<cfloat> read_voxels(Bytes& bytes, const ParsedHeader& header, const VoxelType& type, Index count,
                                const Scaling& scaling) {
    constexpr std::size_t piece = 1 << 16;
    std::vector<cfloat> voxels;
    voxels.reserve(count);
    std::vector<std::byte> buffer(piece * type.byte_count);
    const auto scaled = [&](float value) {
        return to_float(scaling.slope * static_cast<double>(value) + scaling.intercept);
    };
    while (static_cast<Index>(voxels.size()) < count) {
        const auto now = std::min<std::size_t>(piece, count - voxels.size());
        bytes.read(buffer.data(), now * type.byte_count);
        for (std::size_t i = 0; i < now; ++i) {
            const cfloat value = type.number(buffer.data() + i * type.byte_count, header.is_swapped);
            voxels.emplace_back(scaled(value.real()), type.is_complex ? scaled(value.imag()) : 0.0F);
        }
    }
    return voxels;
}

}  // namespace

bool looks_like_nifti(const std::string& path) {
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(path, ignored)) {
        return false;
    }
    const std::unique_ptr<gzFile_s, CloseGzip> file(gzopen(path.c_str(), "rb"));
    std::int32_t begin = 0;
    if (!file || gzread(file.get(), &begin, sizeof(begin)) != static_cast<int>(sizeof(begin))) {
        return false;
    }
    return begin == 348 || begin == 540 || begin == swapped(348) || begin == swapped(540);
}

Image read_nifti(const std::string& path) {
    Bytes bytes(path);
    const ParsedHeader header = read_header(bytes, path);
    const VoxelType& type = voxel_type(header.fields, path);
    const NiftiExtents extents = extents_of(header.fields, path);
    const std::size_t begin = voxels_begin(header.fields, path);
    const Scaling scaling = scaling_of(header.fields, path);
    Image image;
    image.geometry = nifti_geometry(header.fields, extents.matrix_size, path);
    const double byte_count = static_cast<double>(image.voxel_count()) * static_cast<double>(extents.frame_count) *
                              static_cast<double>(type.byte_count);
    bytes.require_room_for(byte_count + static_cast<double>(begin));
    bytes.skip(begin - header_bytes);
    image.frames.assign(extents.frame_count, ImageFrame{});
    for (Index frame = 0; frame < extents.frame_count; ++frame) {
        image.frames[frame].label.repetition = frame;
    }
    image.voxels = read_voxels(bytes, header, type, image.voxel_count() * extents.frame_count, scaling);
    return image;
}

}  // namespace recon
