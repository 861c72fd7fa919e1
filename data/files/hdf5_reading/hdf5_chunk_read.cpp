// The chunked half of read_hdf5_straight: HDF5 finds the chunks and hands out their bytes, one after the other; threads
// undo the filters and put the numbers in their place.
#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "core/base/cancel.hpp"
#include "data/files/hdf5_handle.hpp"
#include "data/files/hdf5_reading/hdf5_straight_read.hpp"
#include "data/files/hdf5_there.hpp"
#include "data/files/reading_process/reading_room.hpp"

namespace recon {
namespace {

constexpr std::size_t most_chunk_bytes = std::size_t{64} << 20;
constexpr std::size_t chunk_batch_bytes = std::size_t{16} << 20;  ///< of chunks in memory besides the dataset

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
    std::vector<Index> start;  ///< its first element
    std::span<const std::byte> bytes;
};

/// The bytes of several chunks, one after the other.
struct ChunkBatch {
    bool complete = false;  ///< else one was never written, or not through all filters
    std::vector<std::size_t> bytes;
    SharedBlock block;
};
template <class Batch>
requires std::is_same_v<std::remove_const_t<Batch>, ChunkBatch>
auto message_members(Batch& batch) { return std::tie(batch.complete, batch.bytes, batch.block); }

/// @return false if the chunks are too large, or have filters that are not undone here
bool find_layout(const Hdf5Stored& stored, std::size_t element_bytes, ChunkLayout& layout) {
    std::size_t bytes = element_bytes;
    for (const Index extent : stored.chunk_extents) {
        if (__builtin_mul_overflow(bytes, static_cast<std::size_t>(extent), &bytes)) {
            return false;
        }
    }
    layout = {stored.chunk_extents, element_bytes, stored.shuffled, stored.deflated};
    return bytes <= most_chunk_bytes && !stored.other_filters;
}

/// Where the library may read the file. @param starts  the first elements of the chunks, one after the other
ChunkBatch chunks_there(const H5File& file, const std::string& dataset, const std::vector<Index>& starts,
                        const std::size_t& plain_bytes, const bool& deflated, const ReadingRoom& room) {
    ChunkBatch batch;
    const H5Handle opened(
        h5_check(H5Dopen2(file.id(), dataset.c_str(), H5P_DEFAULT), file.path(), "reading dataset " + dataset),
        H5Dclose);
    const H5Handle space(H5Dget_space(opened), H5Sclose);
    const int rank = H5Sget_simple_extent_ndims(space);
    if (rank < 1) {
        return batch;
    }
    const std::vector<hsize_t> first(starts.begin(), starts.end());
    std::size_t total = 0;
    for (std::size_t at = 0; at + static_cast<std::size_t>(rank) <= first.size();
         at += static_cast<std::size_t>(rank)) {
        hsize_t stored = 0;
        if (H5Dget_chunk_storage_size(opened, first.data() + at, &stored) < 0 || stored == 0 ||
            stored > 2 * plain_bytes + 1024 || (!deflated && stored != plain_bytes)) {
            return batch;
        }
        batch.bytes.push_back(stored);
        total += stored;
    }
    batch.block = room.memory(total);
    std::byte* to = batch.block.bytes().data();
    for (std::size_t i = 0; i < batch.bytes.size(); ++i) {
        std::uint32_t filters_left_out = 0;
        const hsize_t* const start = first.data() + i * static_cast<std::size_t>(rank);
        if (H5Dread_chunk(opened, H5P_DEFAULT, start, &filters_left_out, to) < 0 || filters_left_out != 0) {
            return batch;
        }
        to += batch.bytes[i];
    }
    batch.complete = true;
    return batch;
}

/// Byte b of element i was stored as byte b * count + i; what does not fill an element follows.
void unshuffle(std::size_t element_bytes, std::span<const std::byte> from, std::vector<std::byte>& to) {
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

/// A thread's own room for what filters make of a chunk.
struct Scratch {
    std::vector<std::byte> inflated, unshuffled;
};

/// Undoes the filters: `bytes` are those of the elements then. @return false if they are damaged
bool decode(const ChunkLayout& layout, std::span<const std::byte>& bytes, Scratch& scratch) {
    if (layout.deflated) {
        scratch.inflated.resize(layout.bytes());
        uLongf length = scratch.inflated.size();
        if (uncompress(reinterpret_cast<Bytef*>(scratch.inflated.data()), &length,
                       reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()) != Z_OK ||
            length != scratch.inflated.size()) {
            return false;
        }
        bytes = scratch.inflated;
    }
    if (layout.shuffled) {
        unshuffle(layout.element_bytes, bytes, scratch.unshuffled);
        bytes = scratch.unshuffled;
    }
    return bytes.size() == layout.bytes();
}

/// Puts the elements of a chunk that are asked for, a run along the fastest axis at a time, into the rows.
void place(const Hdf5Rows& rows, const ChunkLayout& layout, const StoredChunk& chunk, std::byte* buffer) {
    const std::size_t rank = rows.extents.size();
    std::vector<Index> first(rank), end(rank), at(rank);  // in the dataset
    for (std::size_t axis = 0; axis < rank; ++axis) {
        const Index start = chunk.start[axis];
        first[axis] = std::max(start, axis == 0 ? rows.first : 0);
        end[axis] = std::min(start + layout.extents[axis], axis == 0 ? rows.first + rows.count : rows.extents[axis]);
    }
    const std::size_t run_bytes = static_cast<std::size_t>(end[rank - 1] - first[rank - 1]) * layout.element_bytes;
    at = first;
    while (at[0] < end[0]) {
        Index from = 0;
        Index to = 0;
        for (std::size_t axis = 0; axis < rank; ++axis) {
            from = from * layout.extents[axis] + at[axis] - chunk.start[axis];
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
        Scratch scratch;
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
bool advance(const Hdf5Rows& rows, const ChunkLayout& layout, std::vector<Index>& start) {
    const Index row_start = rows.first / layout.extents[0] * layout.extents[0];
    for (std::size_t axis = start.size(); axis-- > 0;) {
        start[axis] += layout.extents[axis];
        if (start[axis] < (axis == 0 ? rows.first + rows.count : rows.extents[axis])) {
            return true;
        }
        start[axis] = axis == 0 ? row_start : 0;
    }
    return false;
}

}  // namespace

bool read_hdf5_chunks(const H5File& file, const std::string& dataset, const Hdf5Stored& stored, const Hdf5Rows& rows,
                      std::size_t element_bytes, std::byte* buffer) {
    ChunkLayout layout;
    if (!find_layout(stored, element_bytes, layout)) {
        return false;
    }
    std::vector<Index> start(rows.extents.size(), 0);
    start[0] = rows.first / layout.extents[0] * layout.extents[0];
    ReadingRoom room = ReadingRoom::of_its_own();
    for (bool more = true; more;) {
        cancel_of_this_thread().check();
        std::vector<StoredChunk> chunks;
        std::vector<Index> starts;
        for (std::size_t bytes = 0; more && bytes < chunk_batch_bytes; bytes += layout.bytes()) {
            chunks.push_back({start, {}});
            starts.insert(starts.end(), start.begin(), start.end());
            more = advance(rows, layout, start);
        }
        room.more = more;
        const ChunkBatch batch = call_there(file, ReadingLimits{}.with(chunk_batch_bytes), chunks_there, dataset,
                                            starts, layout.bytes(), layout.deflated, room);
        if (!batch.complete || batch.bytes.size() != chunks.size()) {
            return false;
        }
        std::span<const std::byte> bytes = batch.block.bytes();
        for (std::size_t i = 0; i < chunks.size(); ++i) {
            if (batch.bytes[i] > bytes.size()) {
                return false;
            }
            chunks[i].bytes = bytes.first(batch.bytes[i]);
            bytes = bytes.subspan(batch.bytes[i]);
        }
        if (!decode_and_place(rows, layout, chunks, buffer)) {
            return false;
        }
    }
    return true;
}

}  // namespace recon
