#pragma once

#include <hdf5.h>

#include <cstddef>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include "core/base/types.hpp"
#include "data/files/hdf5_file.hpp"

namespace recon {

/// Rows of a dataset, along its slowest axis, as they are asked for.
struct Hdf5Rows {
    Index first = 0;
    Index count = 0;
    std::vector<Index> extents;    ///< of the dataset, in C order; at least one
    bool two_axes_as_one = false;  ///< the first of the extents is the product of two

    /// These rows as such of the second axis, in an element of the first.
    Hdf5Rows within(Index element) const {
        Hdf5Rows result{element * extents[1] + first, count, {extents.begin() + 1, extents.end()}, true};
        result.extents[0] *= extents[0];
        return result;
    }
};

/// How the numbers of a dataset lie in its file.
struct Hdf5Stored {
    bool is_native = false;            ///< as this machine has those of their kind and size
    Index bytes = 0;                   ///< all that there are in the file
    Index contiguous_byte = -1;        ///< where they begin, if all are there in one piece
    std::vector<Index> chunk_extents;  ///< of a chunk, if they lie in such
    bool shuffled = false;
    bool deflated = false;
    bool other_filters = false;
};
template <class Stored>
requires std::is_same_v<std::remove_const_t<Stored>, Hdf5Stored>
auto message_members(Stored& stored) {
    return std::tie(stored.is_native, stored.bytes, stored.contiguous_byte, stored.chunk_extents, stored.shuffled,
                    stored.deflated, stored.other_filters);
}

/// Where the library may look at the file.
Hdf5Stored hdf5_stored(hid_t dataset, const H5Info& info);

/// Reads rows past HDF5's own copying, by several threads: contiguous datasets from the file itself, chunks as they are
/// stored, shuffled or deflated. Only where nothing is to be converted, of a file that is open for reading alone.
///
/// @param buffer  of the rows, whose elements are those of the file
/// @return false, with the buffer in any state, where HDF5 has to do it or to say what is wrong: other layouts,
/// filters or types, little data, parts that were never written, a file that ends too early
bool read_hdf5_straight(const H5File& file, const std::string& dataset, const Hdf5Stored& stored, const Hdf5Rows& rows,
                        std::size_t element_bytes, std::byte* buffer);

/// The same for a chunked dataset.
bool read_hdf5_chunks(const H5File& file, const std::string& dataset, const Hdf5Stored& stored, const Hdf5Rows& rows,
                      std::size_t element_bytes, std::byte* buffer);

/// Reads so many bytes from a place in a file, from any thread. @return false if they are not all there
bool read_file_bytes(int descriptor, std::span<std::byte> to, Index offset);

}  // namespace recon
