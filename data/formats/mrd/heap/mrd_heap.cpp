#include "data/formats/mrd/heap/mrd_heap.hpp"

#include <sys/uio.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <exception>
#include <limits>
#include <numeric>

#include "core/base/cancel.hpp"
#include "data/files/hdf5_handle.hpp"
#include "data/files/hdf5_reading/hdf5_straight_read.hpp"
#include "data/files/hdf5_there.hpp"

namespace recon {
namespace {

constexpr std::size_t collection_head_bytes = 16;  ///< "GCOL", version, 3 reserved, 8 bytes: size of the whole
constexpr std::size_t object_head_bytes = 16;      ///< 2 bytes: number, 2: references, 4 reserved, 8: size of the data
constexpr std::size_t reference_bytes = 16;        ///< 4 bytes: how many numbers, 8: collection, 4: object

template <class T>
T number_at(const std::byte* bytes) {
    T value;
    std::memcpy(&value, bytes, sizeof(T));  // the file's are little-endian, like this machine's (OrdinaryTable)
    return value;
}

bool is_collection_head(const std::byte* head) {
    constexpr std::array<char, 5> signature_and_version{'G', 'C', 'O', 'L', 1};
    return std::memcmp(head, signature_and_version.data(), signature_and_version.size()) == 0;
}

/// One thread's way to objects: it keeps the last collection, in which the next row's numbers mostly are.
class HeapReader {
public:
    explicit HeapReader(int descriptor) : descriptor_(descriptor) {}

    bool read(Index collection_byte, std::uint32_t object, std::span<std::byte> to) {
        constexpr std::size_t large = 3000;  // alone in its collection, whose least size is 4096 bytes
        return (to.size() > large && read_first(collection_byte, object, to)) ||
               (load(collection_byte) && find(object, to));
    }

private:
    /// Where the object is the first of its collection: without looking for it.
    bool read_first(Index collection_byte, std::uint32_t object, std::span<std::byte> to) const {
        std::array<std::byte, collection_head_bytes + object_head_bytes> head{};
        const std::array<iovec, 2> parts{iovec{head.data(), head.size()}, iovec{to.data(), to.size()}};
        const ssize_t wanted = static_cast<ssize_t>(head.size() + to.size());
        return preadv(descriptor_, parts.data(), static_cast<int>(parts.size()), collection_byte) == wanted &&
               is_collection_head(head.data()) &&
               number_at<std::uint16_t>(head.data() + collection_head_bytes) == object &&
               number_at<std::uint64_t>(head.data() + collection_head_bytes + 8) == to.size();
    }

    bool load(Index collection_byte) {
        if (collection_byte == collection_byte_) {
            return true;
        }
        collection_byte_ = none;
        std::array<std::byte, collection_head_bytes> head{};
        constexpr std::uint64_t most = std::uint64_t{16} << 20;
        if (collection_byte < 0 || !read_file_bytes(descriptor_, head, collection_byte) ||
            !is_collection_head(head.data())) {
            return false;
        }
        const auto size = number_at<std::uint64_t>(head.data() + 8);
        if (size < collection_head_bytes || size > most) {
            return false;
        }
        collection_.resize(size);
        if (!read_file_bytes(descriptor_, collection_, collection_byte)) {
            return false;
        }
        collection_byte_ = collection_byte;
        return true;
    }

    bool find(std::uint32_t object, std::span<std::byte> to) const {
        std::size_t at = collection_head_bytes;
        while (at + object_head_bytes <= collection_.size()) {
            const auto number = number_at<std::uint16_t>(collection_.data() + at);
            const auto size = number_at<std::uint64_t>(collection_.data() + at + 8);
            at += object_head_bytes;
            if (number == 0 || size > collection_.size() - at) {  // the free space at the end, or damage
                return false;
            }
            if (number == object) {
                std::copy_n(collection_.begin() + static_cast<Index>(at), to.size() == size ? size : 0, to.begin());
                return to.size() == size;
            }
            at += std::min<std::size_t>((size + 7) / 8 * 8, collection_.size() - at);
        }
        return false;
    }

    static constexpr Index none = std::numeric_limits<Index>::min();

    int descriptor_;
    Index collection_byte_ = none;
    std::vector<std::byte> collection_;
};

/// Where the numbers of a row lie.
struct Reference {
    std::uint32_t number_count;
    std::uint32_t object;   ///< its number in the collection
    Index collection_byte;  ///< in the file
};

/// Rows of a table as libismrmrd and h5py write them: chunks of rows without filters, addresses and sizes of 8 bytes,
/// no user block.
struct OrdinaryTable {
    std::size_t row_bytes = 0;
    std::size_t reference_byte = 0;      ///< in a row
    std::vector<hsize_t> chunk_extents;  ///< of the table

    bool find(hid_t file, hid_t dataset, const std::string& column) {
        const H5Handle creation(H5Fget_create_plist(file), H5Pclose);
        std::size_t address_bytes = 0;
        std::size_t size_bytes = 0;
        hsize_t user_block_bytes = 0;
        if (std::endian::native != std::endian::little || H5Pget_sizes(creation, &address_bytes, &size_bytes) < 0 ||
            address_bytes != 8 || size_bytes != 8 || H5Pget_userblock(creation, &user_block_bytes) < 0 ||
            user_block_bytes != 0) {
            return false;
        }
        const H5Handle type(H5Dget_type(dataset), H5Tclose);
        const int member = H5Tget_member_index(type, column.c_str());
        if (member < 0 || H5Tget_member_class(type, static_cast<unsigned>(member)) != H5T_VLEN) {
            return false;
        }
        const H5Handle numbers(H5Tget_member_type(type, static_cast<unsigned>(member)), H5Tclose);
        const H5Handle number(H5Tget_super(numbers), H5Tclose);
        row_bytes = H5Tget_size(type);
        reference_byte = H5Tget_member_offset(type, static_cast<unsigned>(member));
        if (H5Tequal(number, H5T_NATIVE_FLOAT) <= 0 || H5Tget_size(numbers) != reference_bytes ||
            reference_byte + reference_bytes > row_bytes) {
            return false;
        }
        const H5Handle properties(H5Dget_create_plist(dataset), H5Pclose);
        const H5Handle space(H5Dget_space(dataset), H5Sclose);
        const int rank = H5Sget_simple_extent_ndims(space);
        if (H5Pget_layout(properties) != H5D_CHUNKED || H5Pget_nfilters(properties) != 0 || rank < 1) {
            return false;
        }
        chunk_extents.resize(static_cast<std::size_t>(rank));
        constexpr hsize_t most_rows = 1 << 16;  // a few 10 MB
        return H5Pget_chunk(properties, rank, chunk_extents.data()) == rank && chunk_extents[0] >= 1 &&
               chunk_extents[0] <= most_rows &&
               std::all_of(chunk_extents.begin() + 1, chunk_extents.end(), [](hsize_t extent) { return extent == 1; });
    }
};

/// Where the library may read the file. @return fewer than rows if HDF5 has to read them
std::vector<Reference> references_there(const H5File& file, const std::string& dataset, const std::string& column,
                                        const std::vector<Index>& rows) {
    std::vector<Reference> references;
    OrdinaryTable table;
    const H5Handle opened(H5Dopen2(file.id(), dataset.c_str(), H5P_DEFAULT), H5Dclose);
    if (opened < 0 || !table.find(file.id(), opened, column)) {
        return references;
    }
    const auto rows_of_chunk = static_cast<Index>(table.chunk_extents[0]);
    std::vector<std::byte> chunk(static_cast<std::size_t>(rows_of_chunk) * table.row_bytes);
    std::vector<hsize_t> start(table.chunk_extents.size(), 0);
    Index in_memory = -1;
    for (const Index row : rows) {
        if (row / rows_of_chunk != in_memory) {
            in_memory = row / rows_of_chunk;
            start[0] = static_cast<hsize_t>(in_memory * rows_of_chunk);
            hsize_t stored = 0;
            std::uint32_t filters_left_out = 0;
            if (H5Dget_chunk_storage_size(opened, start.data(), &stored) < 0 || stored != chunk.size() ||
                H5Dread_chunk(opened, H5P_DEFAULT, start.data(), &filters_left_out, chunk.data()) < 0) {
                return {};
            }
        }
        const std::byte* const bytes =
            chunk.data() + static_cast<std::size_t>(row % rows_of_chunk) * table.row_bytes + table.reference_byte;
        references.push_back({number_at<std::uint32_t>(bytes), number_at<std::uint32_t>(bytes + 12),
                              static_cast<Index>(number_at<std::uint64_t>(bytes + 4))});
    }
    return references;
}

}  // namespace

bool MrdHeap::visit(std::span<const Index> rows, std::span<const std::size_t> number_counts,
                    const Consume& consume) const {
    if (file_.descriptor() < 0) {
        return false;
    }
    const std::vector<Reference> references =
        call_there(file_, ReadingLimits{}.with(rows.size() * sizeof(Reference)), references_there, dataset_, column_,
                   std::vector<Index>(rows.begin(), rows.end()));
    if (references.size() != rows.size()) {
        return rows.empty();
    }
    const auto count = static_cast<Index>(rows.size());
    const bool many = std::accumulate(number_counts.begin(), number_counts.end(), std::size_t{0}) > (1U << 18);
    const CancelToken& cancel = cancel_of_this_thread();
    bool sound = true;
    std::exception_ptr failure;  // no exception may leave the threads
#pragma omp parallel reduction(&& : sound) if (many)
    {
        HeapReader reader(file_.descriptor());
        std::vector<float> numbers;
#pragma omp for schedule(dynamic, 64)
        for (Index i = 0; i < count; ++i) {
            if (cancel.is_due()) {
                continue;
            }
            const auto row = static_cast<std::size_t>(i);
            const Reference& reference = references[row];
            try {
                numbers.resize(number_counts[row]);
                if (reference.number_count == numbers.size() &&
                    (numbers.empty() || reader.read(reference.collection_byte, reference.object,
                                                    std::as_writable_bytes(std::span(numbers))))) {
                    consume(row, numbers);
                } else {
                    sound = false;
                }
            } catch (...) {
#pragma omp critical(mrd_heap_failure)
                failure = std::current_exception();
            }
        }
    }
    cancel.check();
    if (failure) {
        std::rethrow_exception(failure);
    }
    return sound;
}

}  // namespace recon
