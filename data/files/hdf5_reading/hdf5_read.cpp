// The reading half of H5File.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <functional>
#include <new>
#include <numeric>
#include <optional>

#include "core/base/available_memory.hpp"
#include "core/base/cancel.hpp"
#include "core/base/host_pages.hpp"
#include "data/files/hdf5_file.hpp"
#include "data/files/hdf5_reading/hdf5_read_there.hpp"
#include "data/files/hdf5_reading/hdf5_straight_read.hpp"
#include "data/files/hdf5_there.hpp"
#include "data/files/hdf5_types.hpp"

namespace recon {
namespace {

/// A dataset or attribute that was looked at.
struct Source {
    std::string path;
    std::string what;  ///< "dataset /kspace"
    H5Info info;
    std::optional<Index> stored_bytes;  ///< of a dataset
};

Hdf5Look look_at(const H5File& file, const std::string& dataset) {
    cancel_of_this_thread().check();
    Hdf5Look look = call_there(file, dataset_look_there, dataset);
    if (!look.exists) {
        throw InputError(fmt::format("{}: there is no dataset {}", file.path(), dataset));
    }
    return look;
}

Source source_of(const H5File& file, const std::string& dataset, const Hdf5Look& look) {
    return {file.path(), "dataset " + dataset, look.info, look.stored.bytes};
}

/// Refuses what a damaged or hostile header can claim but the file cannot hold, before memory is asked for.
void require_plausible(const Source& source, Index count, Index memory_bytes_per_element) {
    Index bytes = 0;
    const bool overflow = __builtin_mul_overflow(count, memory_bytes_per_element, &bytes);
    const Index machine = static_cast<Index>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGE_SIZE);
    if (overflow || bytes > machine) {
        throw InputError(fmt::format(
            "{}: {} claims to be {} ({:.3g} bytes in memory), more than this machine has "
            "({:.3g}); the file is damaged or too large for this machine",
            source.path, source.what, source.info.text(),
            static_cast<double>(count) * static_cast<double>(memory_bytes_per_element), static_cast<double>(machine)));
    }
    if (!source.stored_bytes) {
        return;
    }
    constexpr Index always_fine = Index{1} << 26;
    constexpr Index deflate_limit = 1032;  // the greatest compression ratio of deflate [Deutsch 1996]
    const Index stored = *source.stored_bytes;
    if (bytes > always_fine && bytes / deflate_limit > stored) {
        throw InputError(
            fmt::format("{}: {} claims to be {} but only {} bytes of it are in the file; the file is "
                        "damaged or was never completed",
                        source.path, source.what, source.info.text(), stored));
    }
}

InputError wrong_kind(const Source& source, H5Kind expected) {
    return InputError(
        fmt::format("{}: {} is {}, expected {}", source.path, source.what, source.info.text(), h5_kind_name(expected)));
}

template <class T>
std::vector<T> allocate(const Source& source, Index count, Index bytes_per_element = sizeof(T)) {
    require_plausible(source, count, bytes_per_element);
    require_available_memory(static_cast<std::size_t>(count) * sizeof(T),
                             source.path + ": " + source.what + " " + source.info.text());
    try {
        if constexpr (std::is_floating_point_v<T> || std::is_same_v<T, cfloat> || std::is_same_v<T, cdouble>) {
            return unwritten_vector<T>(static_cast<std::size_t>(count));
        }
        return std::vector<T>(static_cast<std::size_t>(count));
    } catch (const std::bad_alloc&) {
        throw DeviceError(fmt::format("{}: no memory for {}: {}", source.path, source.what, source.info.text()));
    }
}

void require_text(const Source& source, Index count) {
    if (source.info.kind != H5Kind::text) {
        throw wrong_kind(source, H5Kind::text);
    }
    require_plausible(source, count, std::max<Index>(sizeof(std::string), source.info.element_bytes));
}

/// @param fetch  given a buffer of a number's type, writes `count` of them
template <class T, class Fetch>
std::vector<T> fetch_numbers(const Source& source, Index count, const Fetch& fetch) {
    constexpr H5Kind wanted = h5_kind_of<T>();
    const H5Kind found = source.info.kind;
    if constexpr (wanted == H5Kind::complex) {
        using Component = typename T::value_type;
        if (found == H5Kind::real || found == H5Kind::integer) {
            const std::vector<Component> reals = fetch_numbers<Component>(source, count, fetch);
            return std::vector<T>(reals.begin(), reals.end());
        }
    }
    if (found != wanted && !(wanted == H5Kind::real && found == H5Kind::integer)) {
        throw wrong_kind(source, wanted);
    }
    std::vector<T> values = allocate<T>(source, count);
    if (count > 0) {
        fetch(std::span<T>(values));
    }
    return values;
}

/// A block of a dataset that HDF5 reads, in pieces of some MB: all that a chunk has to be decoded for lies in one.
template <class T>
class PiecesThere {
public:
    PiecesThere(const H5File& file, const std::string& dataset, const Hdf5Look& look, std::span<T> to)
        : file_(file), dataset_(dataset), chunk_(look.stored.chunk_extents), to_(to) {}

    void read(std::vector<Index> start, std::vector<Index> block, std::size_t axis = 0) {
        constexpr Index piece_bytes = Index{16} << 20;
        const Index count = std::accumulate(block.begin(), block.end(), Index{1}, std::multiplies<>());
        const Index most = piece_bytes / static_cast<Index>(sizeof(T));
        if (count <= most || axis == block.size()) {
            read_piece(start, block, count);
            return;
        }
        const Index chunk = chunk_.empty() ? 1 : chunk_[axis];
        const Index row = count / block[axis];
        const Index step = chunk * std::max<Index>(1, most / std::max<Index>(1, row * chunk));
        const Index end = start[axis] + block[axis];
        while (start[axis] < end) {
            block[axis] = std::min(end, (start[axis] / step + 1) * step) - start[axis];
            if (chunk > 1) {
                read_piece(start, block, row * block[axis]);
            } else {
                read(start, block, axis + 1);
            }
            start[axis] += block[axis];
        }
    }

private:
    void read_piece(const std::vector<Index>& start, const std::vector<Index>& block, Index count) {
        cancel_of_this_thread().check();
        const auto bytes = static_cast<std::size_t>(count) * sizeof(T);
        room_.more = static_cast<std::size_t>(count) < to_.size();
        const SharedBlock piece =
            call_there(file_, ReadingLimits{}.with(bytes), numbers_there<T>, dataset_, start, block, room_);
        if (piece.bytes().size() != bytes || static_cast<std::size_t>(count) > to_.size()) {
            throw InputError(fmt::format("{}: reading dataset {} failed", file_.path(), dataset_));
        }
        std::ranges::copy(piece.as<T>(), to_.begin());
        to_ = to_.subspan(static_cast<std::size_t>(count));
    }

    const H5File& file_;
    const std::string& dataset_;
    const std::vector<Index>& chunk_;
    std::span<T> to_;
    ReadingRoom room_ = ReadingRoom::of_its_own();
};

/// @param start,block  what the rows are, for HDF5
template <class T>
std::vector<T> fetch_block(const H5File& file, const std::string& dataset, const Hdf5Look& look,
                           const std::optional<Hdf5Rows>& rows, const std::vector<Index>& start,
                           const std::vector<Index>& block) {
    const Source source = source_of(file, dataset, look);
    const Index count = block == look.info.extents
                            ? look.info.element_count()
                            : std::accumulate(block.begin(), block.end(), Index{1}, std::multiplies<>());
    return fetch_numbers<T>(source, count, [&]<class Number>(std::span<Number> to) {
        const bool as_stored = look.info.kind == h5_kind_of<Number>() && look.info.element_bytes == sizeof(Number);
        if (!rows || !as_stored ||
            !read_hdf5_straight(file, dataset, look.stored, *rows, sizeof(Number),
                                reinterpret_cast<std::byte*>(to.data()))) {
            PiecesThere<Number>(file, dataset, look, to).read(start, block);
        }
    });
}

}  // namespace

H5Info H5File::dataset_info(const std::string& name) const { return look_at(*this, name).info; }

void H5File::require_plausible_size(const std::string& name) const {
    const Source source = source_of(*this, name, look_at(*this, name));
    require_plausible(source, source.info.element_count(), source.info.element_bytes);
}

H5Info H5File::attribute_info(const std::string& object, const std::string& name) const {
    return call_there(*this, attribute_info_there, object, name);
}

template <class T>
std::vector<T> H5File::read(const std::string& dataset) const {
    const Hdf5Look look = look_at(*this, dataset);
    const std::vector<Index>& extents = look.info.extents;
    if constexpr (std::is_same_v<T, std::string>) {
        require_text(source_of(*this, dataset, look), look.info.element_count());
        return call_there(*this, texts_there, dataset);
    } else {
        const auto rows = extents.empty() ? std::nullopt : std::optional(Hdf5Rows{0, extents[0], extents});
        return fetch_block<T>(*this, dataset, look, rows, std::vector<Index>(extents.size(), 0), extents);
    }
}

template <class T>
std::vector<T> H5File::read_rows(const std::string& dataset, Index first, Index count,
                                 const std::optional<Index>& of) const {
    const Hdf5Look look = look_at(*this, dataset);
    const std::vector<Index>& extents = look.info.extents;
    const std::size_t axis = of ? 1 : 0;
    if (extents.size() <= axis || first < 0 || count < 0 || first > extents[axis] - count ||
        (of && (*of < 0 || *of >= extents[0]))) {
        throw InputError(fmt::format("{}: rows {} to {} of dataset {} were asked for, but it is {}", path_, first,
                                     first + count - 1, dataset, look.info.text()));
    }
    if (count == 0) {
        return {};
    }
    std::vector<Index> start(extents.size(), 0);
    std::vector<Index> block = extents;
    start[0] = of.value_or(0);
    block[0] = of ? 1 : block[0];
    start[axis] = first;
    block[axis] = count;
    const Hdf5Rows rows{first, count, extents};
    return fetch_block<T>(*this, dataset, look, of ? rows.within(*of) : rows, start, block);
}

template <class T>
std::vector<T> H5File::read_attribute(const std::string& object, const std::string& name) const {
    if (!has_attribute(object, name)) {
        throw InputError(fmt::format("{}: {} has no attribute {}", path_, object, name));
    }
    const Source source{path_, fmt::format("attribute {} of {}", name, object), attribute_info(object, name), {}};
    const Index count = source.info.element_count();
    if constexpr (std::is_same_v<T, std::string>) {
        require_text(source, count);
        return call_there(*this, attribute_texts_there, object, name);
    } else {
        return fetch_numbers<T>(source, count, [&]<class Number>(std::span<Number> to) {
            const std::vector<Number> numbers = call_there(*this, attribute_numbers_there<Number>, object, name);
            std::copy_n(numbers.begin(), std::min(numbers.size(), to.size()), to.begin());
        });
    }
}

template <class T>
T H5File::read_attribute_scalar(const std::string& object, const std::string& name) const {
    std::vector<T> values = read_attribute<T>(object, name);
    if (values.size() != 1) {
        throw InputError(
            fmt::format("{}: attribute {} of {} has {} values, expected 1", path_, name, object, values.size()));
    }
    return std::move(values[0]);
}

template std::vector<float> H5File::read<float>(const std::string&) const;
template std::vector<float> H5File::read_rows<float>(const std::string&, Index, Index,
                                                     const std::optional<Index>&) const;
template std::vector<double> H5File::read<double>(const std::string&) const;
template std::vector<double> H5File::read_rows<double>(const std::string&, Index, Index,
                                                       const std::optional<Index>&) const;
template std::vector<double> H5File::read_attribute<double>(const std::string&, const std::string&) const;
template double H5File::read_attribute_scalar<double>(const std::string&, const std::string&) const;
template std::vector<Index> H5File::read<Index>(const std::string&) const;
template std::vector<Index> H5File::read_attribute<Index>(const std::string&, const std::string&) const;
template Index H5File::read_attribute_scalar<Index>(const std::string&, const std::string&) const;
template std::vector<cfloat> H5File::read<cfloat>(const std::string&) const;
template std::vector<cfloat> H5File::read_rows<cfloat>(const std::string&, Index, Index,
                                                       const std::optional<Index>&) const;
template std::vector<cdouble> H5File::read<cdouble>(const std::string&) const;
template std::vector<cdouble> H5File::read_rows<cdouble>(const std::string&, Index, Index,
                                                         const std::optional<Index>&) const;
template std::vector<Index> H5File::read_rows<Index>(const std::string&, Index, Index,
                                                     const std::optional<Index>&) const;
template std::vector<std::string> H5File::read<std::string>(const std::string&) const;
template std::vector<std::string> H5File::read_attribute<std::string>(const std::string&, const std::string&) const;
template std::string H5File::read_attribute_scalar<std::string>(const std::string&, const std::string&) const;

}  // namespace recon
