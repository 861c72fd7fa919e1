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
#include "data/files/hdf5_straight_read.hpp"
#include "data/files/hdf5_types.hpp"

namespace recon {
namespace {

/// A dataset or attribute that was opened, and how to get at its elements.
struct Source {
    std::string path;
    std::string what;  ///< "dataset /kspace"
    H5Handle object, type, space;
    H5Info info;
    std::function<herr_t(hid_t memory_type, void* buffer)> fetch;
    std::optional<Hdf5Rows> rows;  ///< of a dataset with axes

    /// As `fetch`, for numbers; past HDF5 where that is as good. Zeros where HDF5 would leave the buffer as it is.
    void fetch_numbers(hid_t memory_type, Index count, void* buffer) const {
        if (count > 0 && !(rows && read_hdf5_straight(*rows, memory_type, buffer))) {
            std::fill_n(static_cast<char*>(buffer), static_cast<std::size_t>(count) * H5Tget_size(memory_type), '\0');
            check(fetch(memory_type, buffer));
        }
    }

    template <class Result>
    Result check(Result result) const {
        return h5_check(result, path, "reading " + what);
    }
};

void require_sound(const Source& source) {
    if (!h5_type_is_sound(source.type)) {
        throw InputError(
            fmt::format("{}: the type of {} contradicts itself; the file is damaged", source.path, source.what));
    }
}

Source open_dataset(const std::string& path, hid_t file, const std::string& name) {
    cancel_of_this_thread().check();
    Source source;
    source.path = path;
    source.what = "dataset " + name;
    source.object = H5Handle(source.check(H5Dopen2(file, name.c_str(), H5P_DEFAULT)), H5Dclose);
    source.type = H5Handle(source.check(H5Dget_type(source.object)), H5Tclose);
    source.space = H5Handle(source.check(H5Dget_space(source.object)), H5Sclose);
    require_sound(source);
    source.info = h5_describe(source.type, source.space);
    const hid_t object = source.object;
    if (!source.info.extents.empty()) {
        source.rows = Hdf5Rows{file, object, 0, source.info.extents[0], source.info.extents};
    }
    source.fetch = [object](hid_t memory_type, void* buffer) {
        return H5Dread(object, memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, buffer);
    };
    return source;
}

Source open_attribute(const std::string& path, hid_t file, const std::string& object, const std::string& name) {
    Source source;
    source.path = path;
    source.what = fmt::format("attribute {} of {}", name, object);
    source.object =
        H5Handle(source.check(H5Aopen_by_name(file, object.c_str(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT)), H5Aclose);
    source.type = H5Handle(source.check(H5Aget_type(source.object)), H5Tclose);
    source.space = H5Handle(source.check(H5Aget_space(source.object)), H5Sclose);
    require_sound(source);
    source.info = h5_describe(source.type, source.space);
    const hid_t id = source.object;
    source.fetch = [id](hid_t memory_type, void* buffer) { return H5Aread(id, memory_type, buffer); };
    return source;
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
    if (H5Iget_type(source.object) != H5I_DATASET) {
        return;
    }
    constexpr Index always_fine = Index{1} << 26;
    constexpr Index deflate_limit = 1032;  // the greatest compression ratio of deflate [Deutsch 1996]
    const auto stored = static_cast<Index>(H5Dget_storage_size(source.object));
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

std::vector<std::string> fetch_text(const Source& source, Index count) {
    if (source.info.kind != H5Kind::text) {
        throw wrong_kind(source, H5Kind::text);
    }
    std::vector<std::string> values = allocate<std::string>(source, count);
    if (count == 0) {
        return values;
    }
    if (source.check(H5Tis_variable_str(source.type)) > 0) {
        std::vector<char*> pointers(values.size(), nullptr);
        source.check(source.fetch(source.type, pointers.data()));
        for (std::size_t i = 0; i < values.size(); ++i) {
            values[i] = pointers[i] != nullptr ? pointers[i] : "";
            H5free_memory(pointers[i]);
        }
        return values;
    }
    const auto length = static_cast<std::size_t>(source.info.element_bytes);
    std::vector<char> buffer = allocate<char>(source, count * source.info.element_bytes);
    source.check(source.fetch(source.type, buffer.data()));
    for (std::size_t i = 0; i < values.size(); ++i) {
        std::string value(buffer.data() + i * length, length);
        value = value.substr(0, value.find('\0'));
        if (H5Tget_strpad(source.type) == H5T_STR_SPACEPAD) {
            value.erase(value.find_last_not_of(' ') + 1);
        }
        values[i] = value;
    }
    return values;
}

template <class T>
std::vector<T> fetch_numbers(const Source& source, Index count) {
    constexpr H5Kind wanted = h5_kind_of<T>();
    const H5Kind found = source.info.kind;
    if constexpr (wanted == H5Kind::complex) {
        using Component = typename T::value_type;
        if (found == H5Kind::real || found == H5Kind::integer) {
            const std::vector<Component> reals = fetch_numbers<Component>(source, count);
            return std::vector<T>(reals.begin(), reals.end());
        }
        if (found != wanted) {
            throw wrong_kind(source, wanted);
        }
        std::vector<T> values = allocate<T>(source, count);
        const H5Handle component = h5_memory_type<Component>();
        source.fetch_numbers(h5_complex_type_like(source.type, component), count, values.data());
        return values;
    } else {
        if (found != wanted && !(wanted == H5Kind::real && found == H5Kind::integer)) {
            throw wrong_kind(source, wanted);
        }
        std::vector<T> values = allocate<T>(source, count);
        source.fetch_numbers(h5_memory_type<T>(), count, values.data());
        return values;
    }
}

template <class T>
std::vector<T> fetch(const Source& source, Index count) {
    if constexpr (std::is_same_v<T, std::string>) {
        return fetch_text(source, count);
    } else {
        return fetch_numbers<T>(source, count);
    }
}

}  // namespace

H5Info H5File::dataset_info(const std::string& name) const {
    if (!has_dataset(name)) {
        throw InputError(fmt::format("{}: there is no dataset {}", path_, name));
    }
    return open_dataset(path_, id(), name).info;
}

void H5File::require_plausible_size(const std::string& name) const {
    const Source source = open_dataset(path_, id(), name);
    require_plausible(source, source.info.element_count(), source.info.element_bytes);
}

H5Info H5File::attribute_info(const std::string& object, const std::string& name) const {
    return open_attribute(path_, id(), object, name).info;
}

template <class T>
std::vector<T> H5File::read(const std::string& dataset) const {
    if (!has_dataset(dataset)) {
        throw InputError(fmt::format("{}: there is no dataset {}", path_, dataset));
    }
    const Source source = open_dataset(path_, id(), dataset);
    return fetch<T>(source, source.info.element_count());
}

template <class T>
std::vector<T> H5File::read_rows(const std::string& dataset, Index first, Index count,
                                 const std::optional<Index>& of) const {
    if (!has_dataset(dataset)) {
        throw InputError(fmt::format("{}: there is no dataset {}", path_, dataset));
    }
    Source source = open_dataset(path_, id(), dataset);
    const std::vector<Index>& extents = source.info.extents;
    const std::size_t axis = of ? 1 : 0;
    if (extents.size() <= axis || first < 0 || count < 0 || first > extents[axis] - count ||
        (of && (*of < 0 || *of >= extents[0]))) {
        throw InputError(fmt::format("{}: rows {} to {} of dataset {} were asked for, but it is {}", path_, first,
                                     first + count - 1, dataset, source.info.text()));
    }
    if (count == 0) {
        return {};
    }
    std::vector<hsize_t> start(extents.size(), 0);
    std::vector<hsize_t> block(extents.begin(), extents.end());
    start[0] = static_cast<hsize_t>(of.value_or(0));
    block[0] = of ? 1 : block[0];
    start[axis] = static_cast<hsize_t>(first);
    block[axis] = static_cast<hsize_t>(count);
    source.check(H5Sselect_hyperslab(source.space, H5S_SELECT_SET, start.data(), nullptr, block.data(), nullptr));
    const H5Handle memory(source.check(H5Screate_simple(static_cast<int>(block.size()), block.data(), nullptr)),
                          H5Sclose);
    const hid_t object = source.object, file_space = source.space, memory_space = memory;
    source.fetch = [=](hid_t type, void* buffer) {
        return H5Dread(object, type, memory_space, file_space, H5P_DEFAULT, buffer);
    };
    const Hdf5Rows rows{source.rows->file, object, first, count, extents};
    source.rows = of ? rows.within(*of) : rows;
    return fetch<T>(source, std::accumulate(block.begin(), block.end(), Index{1}, std::multiplies<>()));
}

template <class T>
std::vector<T> H5File::read_attribute(const std::string& object, const std::string& name) const {
    if (!has_attribute(object, name)) {
        throw InputError(fmt::format("{}: {} has no attribute {}", path_, object, name));
    }
    const Source source = open_attribute(path_, id(), object, name);
    return fetch<T>(source, source.info.element_count());
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
template std::vector<std::string> H5File::read<std::string>(const std::string&) const;
template std::vector<std::string> H5File::read_attribute<std::string>(const std::string&, const std::string&) const;
template std::string H5File::read_attribute_scalar<std::string>(const std::string&, const std::string&) const;

}  // namespace recon
