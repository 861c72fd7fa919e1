#include "data/files/hdf5_straight_read.hpp"

#include <unistd.h>

#include <algorithm>

#include "core/base/cancel.hpp"
#include "data/files/hdf5_handle.hpp"

namespace recon {
namespace {

constexpr Index least_straight_bytes = Index{1} << 20;  ///< fewer are not worth the threads
constexpr Index straight_piece_bytes = Index{4} << 20;  ///< one thread's at a time

bool read_contiguous(const Hdf5Rows& rows, Index row_bytes, std::span<std::byte> buffer) {
    const haddr_t start = H5Dget_offset(rows.dataset);
    const int descriptor = hdf5_descriptor(rows.file);
    if (start == HADDR_UNDEF || descriptor < 0 ||
        H5Dget_storage_size(rows.dataset) != static_cast<hsize_t>(rows.extents[0] * row_bytes)) {
        return false;
    }
    const Index offset = static_cast<Index>(start) + rows.first * row_bytes;
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

int hdf5_descriptor(hid_t file) {
    unsigned intent = H5F_ACC_RDWR;
    const H5Handle access(H5Fget_access_plist(file), H5Pclose);
    void* descriptor = nullptr;
    if (H5Fget_intent(file, &intent) < 0 || intent != H5F_ACC_RDONLY || H5Pget_driver(access) != H5FD_SEC2 ||
        H5Fget_vfd_handle(file, H5P_DEFAULT, &descriptor) < 0 || descriptor == nullptr) {
        return -1;
    }
    return *static_cast<const int*>(descriptor);
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

bool read_hdf5_straight(const Hdf5Rows& rows, hid_t memory_type, void* buffer) {
    const H5Handle properties(H5Dget_create_plist(rows.dataset), H5Pclose);
    const H5Handle type(H5Dget_type(rows.dataset), H5Tclose);
    if (rows.extents.empty() || H5Tequal(type, memory_type) <= 0 || H5Pget_external_count(properties) != 0) {
        return false;
    }
    const std::size_t element_bytes = H5Tget_size(type);
    auto row_bytes = static_cast<Index>(element_bytes);
    for (std::size_t axis = 1; axis < rows.extents.size(); ++axis) {
        row_bytes *= rows.extents[axis];
    }
    if (rows.count * row_bytes < least_straight_bytes) {
        return false;
    }
    auto* const to = static_cast<std::byte*>(buffer);
    switch (H5Pget_layout(properties)) {
        case H5D_CONTIGUOUS:
            return read_contiguous(rows, row_bytes, {to, static_cast<std::size_t>(rows.count * row_bytes)});
        case H5D_CHUNKED: return !rows.two_axes_as_one && read_hdf5_chunks(rows, element_bytes, to);
        default: return false;
    }
}

}  // namespace recon
