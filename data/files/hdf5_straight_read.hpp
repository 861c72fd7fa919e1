#pragma once

#include <hdf5.h>

#include <cstddef>
#include <span>
#include <vector>

#include "core/base/types.hpp"

namespace recon {

/// Rows of a dataset, along its slowest axis, as they are asked for.
struct Hdf5Rows {
    hid_t file = -1;
    hid_t dataset = -1;
    Index first = 0;
    Index count = 0;
    std::vector<Index> extents;    ///< of the dataset, in C order; at least one
    bool two_axes_as_one = false;  ///< the first of the extents is the product of two

    /// These rows as such of the second axis, in an element of the first.
    Hdf5Rows within(Index element) const {
        Hdf5Rows result{file, dataset, element * extents[1] + first, count, {extents.begin() + 1, extents.end()}, true};
        result.extents[0] *= extents[0];
        return result;
    }
};

/// Reads rows past HDF5's own copying, by several threads: contiguous datasets from the file itself, chunks as they are
/// stored, shuffled or deflated. Only where nothing is to be converted, in a local file that is open for reading alone.
///
/// @param memory_type  of `buffer`, which holds the rows
/// @return false, with the buffer in any state, where HDF5 has to do it or to say what is wrong: other layouts,
/// filters, types or drivers, little data, parts that were never written, a file that ends too early
bool read_hdf5_straight(const Hdf5Rows& rows, hid_t memory_type, void* buffer);

/// The same for a chunked dataset.
bool read_hdf5_chunks(const Hdf5Rows& rows, std::size_t element_bytes, std::byte* buffer);

/// The operating system's descriptor of a file, or -1 unless it is a local one in which nothing waits to be written.
int hdf5_descriptor(hid_t file);

/// Reads so many bytes from a place in a file, from any thread. @return false if they are not all there
bool read_file_bytes(int descriptor, std::span<std::byte> to, Index offset);

}  // namespace recon
