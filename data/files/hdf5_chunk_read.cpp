// The chunked half of read_hdf5_straight: HDF5 finds the chunks and hands out their bytes, one after the other; threads
// undo the filters and put the numbers in their place.
#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "core/base/cancel.hpp"
#include "data/files/hdf5_handle.hpp"
#include "data/files/hdf5_straight_read.hpp"

namespace recon {
namespace {

constexpr std::size_t most_chunk_bytes = std::size_t{64} << 20;
constexpr std::size_t chunk_batch_bytes = std::size_t{64} << 20;  ///< of chunks in memory besides the dataset

struct ChunkLayout {
    std::vector<Index> extents;  ///< of a chunk
    std::size_t element_bytes = 0;
    bool shuffled = false;
    bool deflated = false;

    std::size_t bytes() const {
        std::size_t bytes = element_bytes;
        for (const Index extent : extents) {
            bytes *= static_cast<std::size_t>(extent);
        }
        return bytes;
    }
};

struct StoredChunk {
    std::vector<hsize_t> start;  ///< its first element
    std::vector<std::byte> bytes;
};

/// @return false if there is a filter that is not undone here
bool find_filters(hid_t properties, ChunkLayout& layout) {
    const int count = H5Pget_nfilters(properties);
    for (int i = 0; i < count; ++i) {
        unsigned flags = 0;
        unsigned settings = 0;
        std::size_t value_count = 0;
        const H5Z_filter_t filter =
            H5Pget_filter2(properties, static_cast<unsigned>(i), &flags, &value_count, nullptr, 0, nullptr, &settings);
        if (filter == H5Z_FILTER_SHUFFLE && !layout.shuffled && !layout.deflated) {
            layout.shuffled = true;
        } else if (filter == H5Z_FILTER_DEFLATE && !layout.deflated) {
            layout.deflated = true;
        } else {
            return false;
        }
    }
    return count >= 0;
}

bool find_layout(const Hdf5Rows& rows, std::size_t element_bytes, ChunkLayout& layout) {
    const H5Handle properties(H5Dget_create_plist(rows.dataset), H5Pclose);
    std::vector<hsize_t> extents(rows.extents.size());
    const int rank = static_cast<int>(extents.size());
    if (H5Pget_chunk(properties, rank, extents.data()) != rank) {
        return false;
    }
    std::size_t bytes = element_bytes;
    for (const hsize_t extent : extents) {
        if (extent < 1 || __builtin_mul_overflow(bytes, static_cast<std::size_t>(extent), &bytes)) {
            return false;
        }
    }
    layout.extents.assign(extents.begin(), extents.end());
    layout.element_bytes = element_bytes;
    return bytes <= most_chunk_bytes && find_filters(properties, layout);
}

/// @return false if the chunk was never written, or not through all filters
bool fetch_chunk(hid_t dataset, const ChunkLayout& layout, StoredChunk& chunk) {
    hsize_t stored = 0;
    std::uint32_t filters_left_out = 0;
    const std::size_t plain = layout.bytes();
    if (H5Dget_chunk_storage_size(dataset, chunk.start.data(), &stored) < 0 || stored == 0 ||
        stored > 2 * plain + 1024 || (!layout.deflated && stored != plain)) {
        return false;
    }
    chunk.bytes.resize(stored);
    return H5Dread_chunk(dataset, H5P_DEFAULT, chunk.start.data(), &filters_left_out, chunk.bytes.data()) >= 0 &&
           filters_left_out == 0;
}

/// Byte b of element i was stored as byte b * count + i; what does not fill an element follows.
void unshuffle(std::size_t element_bytes, const std::vector<std::byte>& from, std::vector<std::byte>& to) {
    const std::size_t count = from.size() / element_bytes;
    to.resize(from.size());
    for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t b = 0; b < element_bytes; ++b) {
            to[i * element_bytes + b] = from[b * count + i];
        }
    }
    std::copy(from.begin() + static_cast<Index>(count * element_bytes), from.end(),
              to.begin() + static_cast<Index>(count * element_bytes));
}

/// Undoes the filters. @param scratch  a thread's own  @return false if the bytes are damaged
bool decode(const ChunkLayout& layout, std::vector<std::byte>& bytes, std::vector<std::byte>& scratch) {
    if (layout.deflated) {
        scratch.resize(layout.bytes());
        uLongf length = scratch.size();
        if (uncompress(reinterpret_cast<Bytef*>(scratch.data()), &length, reinterpret_cast<const Bytef*>(bytes.data()),
                       bytes.size()) != Z_OK ||
            length != scratch.size()) {
            return false;
        }
        bytes.swap(scratch);
    }
    if (layout.shuffled) {
        unshuffle(layout.element_bytes, bytes, scratch);
        bytes.swap(scratch);
    }
    return true;
}

/// Puts the elements of a chunk that are asked for, a run along the fastest axis at a time, into the rows.
void place(const Hdf5Rows& rows, const ChunkLayout& layout, const StoredChunk& chunk, std::byte* buffer) {
    const std::size_t rank = rows.extents.size();
    std::vector<Index> first(rank), end(rank), at(rank);  // in the dataset
    for (std::size_t axis = 0; axis < rank; ++axis) {
        const auto start = static_cast<Index>(chunk.start[axis]);
        first[axis] = std::max(start, axis == 0 ? rows.first : 0);
        end[axis] = std::min(start + layout.extents[axis], axis == 0 ? rows.first + rows.count : rows.extents[axis]);
    }
    const std::size_t run_bytes = static_cast<std::size_t>(end[rank - 1] - first[rank - 1]) * layout.element_bytes;
    at = first;
    while (at[0] < end[0]) {
        Index from = 0;
        Index to = 0;
        for (std::size_t axis = 0; axis < rank; ++axis) {
            from = from * layout.extents[axis] + at[axis] - static_cast<Index>(chunk.start[axis]);
            to = to * (axis == 0 ? rows.count : rows.extents[axis]) + at[axis] - (axis == 0 ? rows.first : 0);
        }
        std::memcpy(buffer + static_cast<std::size_t>(to) * layout.element_bytes,
                    chunk.bytes.data() + static_cast<std::size_t>(from) * layout.element_bytes, run_bytes);
        at[rank - 1] = end[rank - 1];
        for (std::size_t axis = rank - 1; axis > 0 && at[axis] >= end[axis]; --axis) {
            at[axis] = first[axis];
            ++at[axis - 1];
        }
    }
}

bool decode_and_place(const Hdf5Rows& rows, const ChunkLayout& layout, std::vector<StoredChunk>& chunks,
                      std::byte* buffer) {
    const auto count = static_cast<Index>(chunks.size());
    bool sound = true;
#pragma omp parallel reduction(&& : sound)
    {
        std::vector<std::byte> scratch;
#pragma omp for schedule(dynamic)
        for (Index i = 0; i < count; ++i) {
            StoredChunk& chunk = chunks[static_cast<std::size_t>(i)];
            if (decode(layout, chunk.bytes, scratch)) {
                place(rows, layout, chunk, buffer);
            } else {
                sound = false;
            }
        }
    }
    return sound;
}

/// The first element of the chunk after this one, of those that hold rows. @return false after the last
bool advance(const Hdf5Rows& rows, const ChunkLayout& layout, std::vector<hsize_t>& start) {
    const Index row_start = rows.first / layout.extents[0] * layout.extents[0];
    for (std::size_t axis = start.size(); axis-- > 0;) {
        start[axis] += static_cast<hsize_t>(layout.extents[axis]);
        if (static_cast<Index>(start[axis]) < (axis == 0 ? rows.first + rows.count : rows.extents[axis])) {
            return true;
        }
        start[axis] = axis == 0 ? static_cast<hsize_t>(row_start) : 0;
    }
    return false;
}

}  // namespace

bool read_hdf5_chunks(const Hdf5Rows& rows, std::size_t element_bytes, std::byte* buffer) {
    ChunkLayout layout;
    if (!find_layout(rows, element_bytes, layout)) {
        return false;
    }
    std::vector<hsize_t> start(rows.extents.size(), 0);
    start[0] = static_cast<hsize_t>(rows.first / layout.extents[0] * layout.extents[0]);
    for (bool more = true; more;) {
        cancel_of_this_thread().check();
        std::vector<StoredChunk> chunks;
        for (std::size_t bytes = 0; more && bytes < chunk_batch_bytes; bytes += layout.bytes()) {
            chunks.push_back({start, {}});
            if (!fetch_chunk(rows.dataset, layout, chunks.back())) {
                return false;
            }
            more = advance(rows, layout, start);
        }
        if (!decode_and_place(rows, layout, chunks, buffer)) {
            return false;
        }
    }
    return true;
}

}  // namespace recon
