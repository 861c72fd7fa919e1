#include "data/files/hdf5_reading/hdf5_straight_read.hpp"

#include <unistd.h>

#include <algorithm>

#include "core/base/cancel.hpp"
#include "data/files/hdf5_types.hpp"

namespace recon {
namespace {

constexpr Index least_straight_bytes = Index{1} << 20;  ///< fewer are not worth the threads
constexpr Index straight_piece_bytes = Index{4} << 20;  ///< one thread's at a time

bool is_native_type(hid_t type, const H5Info& info) {
    const auto is = [&](hid_t native) { return H5Tequal(type, native) > 0; };
    switch (info.kind) {
        case H5Kind::real: return is(H5T_NATIVE_FLOAT) || is(H5T_NATIVE_DOUBLE);
        case H5Kind::integer: return is(H5T_NATIVE_INT64);
        case H5Kind::complex:
            return is(h5_complex_type_like(type, H5T_NATIVE_FLOAT)) ||
                   is(h5_complex_type_like(type, H5T_NATIVE_DOUBLE));
        default: return false;
    }
}

void find_filters(hid_t properties, Hdf5Stored& stored) {
    const int count = H5Pget_nfilters(properties);
    stored.other_filters = count < 0;
    for (int i = 0; i < count; ++i) {
        unsigned flags = 0;
        unsigned settings = 0;
        std::size_t value_count = 0;
        const H5Z_filter_t filter =
            H5Pget_filter2(properties, static_cast<unsigned>(i), &flags, &value_count, nullptr, 0, nullptr, &settings);
        if (filter == H5Z_FILTER_SHUFFLE && !stored.shuffled && !stored.deflated) {
            stored.shuffled = true;
        } else if (filter == H5Z_FILTER_DEFLATE && !stored.deflated) {
            stored.deflated = true;
        } else {
            stored.other_filters = true;
        }
    }
}

void find_chunks(hid_t properties, const H5Info& info, Hdf5Stored& stored) {
    std::vector<hsize_t> extents(info.extents.size());
    const int rank = static_cast<int>(extents.size());
    if (H5Pget_chunk(properties, rank, extents.data()) == rank &&
        std::all_of(extents.begin(), extents.end(), [](hsize_t extent) { return extent > 0; })) {
        stored.chunk_extents.assign(extents.begin(), extents.end());
    }
    find_filters(properties, stored);
}

bool read_contiguous(int descriptor, const Hdf5Stored& stored, const Hdf5Rows& rows, Index row_bytes,
                     std::span<std::byte> buffer) {
    if (stored.contiguous_byte < 0) {
        return false;
    }
    const Index offset = stored.contiguous_byte + rows.first * row_bytes;
    const auto bytes = static_cast<Index>(buffer.size());
    const CancelToken& cancel = cancel_of_this_thread();
    bool complete = true;
#pragma omp parallel for schedule(dynamic) reduction(&& : complete)
    for (Index piece = 0; piece < bytes; piece += straight_piece_bytes) {
        if (cancel.is_due()) {
            continue;
        }
        const Index length = std::min(straight_piece_bytes, bytes - piece);
        complete = read_file_bytes(descriptor,
                                   buffer.subspan(static_cast<std::size_t>(piece), static_cast<std::size_t>(length)),
                                   offset + piece) &&
                   complete;
    }
    cancel.check();
    return complete;
}

}  // namespace

Hdf5Stored hdf5_stored(hid_t dataset, const H5Info& info) {
    Hdf5Stored stored;
    stored.bytes = static_cast<Index>(H5Dget_storage_size(dataset));
    const H5Handle properties(H5Dget_create_plist(dataset), H5Pclose);
    const H5Handle type(H5Dget_type(dataset), H5Tclose);
    stored.is_native = is_native_type(type, info);
    if (info.extents.empty() || H5Pget_external_count(properties) != 0) {
        return stored;
    }
    const H5D_layout_t layout = H5Pget_layout(properties);
    if (layout == H5D_CHUNKED) {
        find_chunks(properties, info, stored);
    } else if (layout == H5D_CONTIGUOUS) {
        Index bytes = info.element_bytes;
        bool overflow = false;
        for (const Index extent : info.extents) {
            overflow = __builtin_mul_overflow(bytes, extent, &bytes) || overflow;
        }
        const haddr_t start = H5Dget_offset(dataset);
        if (!overflow && start != HADDR_UNDEF && stored.bytes == bytes) {
            stored.contiguous_byte = static_cast<Index>(start);
        }
    }
    return stored;
}

bool read_file_bytes(int descriptor, std::span<std::byte> to, Index offset) {
    while (!to.empty()) {
        const ssize_t count = pread(descriptor, to.data(), to.size(), offset);
        if (count <= 0) {
            return false;
        }
        to = to.subspan(static_cast<std::size_t>(count));
        offset += count;
    }
    return true;
}

bool read_hdf5_straight(const H5File& file, const std::string& dataset, const Hdf5Stored& stored, const Hdf5Rows& rows,
                        std::size_t element_bytes, std::byte* buffer) {
    if (!stored.is_native || file.descriptor() < 0) {
        return false;
    }
    auto row_bytes = static_cast<Index>(element_bytes);
    for (std::size_t axis = 1; axis < rows.extents.size(); ++axis) {
        row_bytes *= rows.extents[axis];
    }
    if (rows.count * row_bytes < least_straight_bytes) {
        return false;
    }
    if (stored.chunk_extents.empty()) {
        return read_contiguous(file.descriptor(), stored, rows, row_bytes,
                               {buffer, static_cast<std::size_t>(rows.count * row_bytes)});
    }
    return !rows.two_axes_as_one && read_hdf5_chunks(file, dataset, stored, rows, element_bytes, buffer);
}

}  // namespace recon
