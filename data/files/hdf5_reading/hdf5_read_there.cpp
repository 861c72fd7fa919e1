#include "data/files/hdf5_reading/hdf5_read_there.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include "data/files/hdf5_types.hpp"

namespace recon {
namespace {

/// A dataset or attribute that was opened.
struct OpenSource {
    std::string path;
    std::string what;  ///< "dataset /kspace"
    H5Handle object, type, space;
    H5Info info;

    template <class Result>
    Result check(Result result) const {
        return h5_check(result, path, "reading " + what);
    }
    void describe() {
        if (!h5_type_is_sound(type)) {
            throw InputError(fmt::format("{}: the type of {} contradicts itself; the file is damaged", path, what));
        }
        info = h5_describe(type, space);
    }
    template <class T>
    H5Handle memory_type() const {
        if constexpr (h5_kind_of<T>() == H5Kind::complex) {
            return h5_complex_type_like(type, h5_memory_type<typename T::value_type>());
        } else {
            return h5_memory_type<T>();
        }
    }
};

OpenSource open_dataset(const H5File& file, const std::string& name) {
    OpenSource source;
    source.path = file.path();
    source.what = "dataset " + name;
    source.object = H5Handle(source.check(H5Dopen2(file.id(), name.c_str(), H5P_DEFAULT)), H5Dclose);
    source.type = H5Handle(source.check(H5Dget_type(source.object)), H5Tclose);
    source.space = H5Handle(source.check(H5Dget_space(source.object)), H5Sclose);
    source.describe();
    return source;
}

OpenSource open_attribute(const H5File& file, const std::string& object, const std::string& name) {
    OpenSource source;
    source.path = file.path();
    source.what = fmt::format("attribute {} of {}", name, object);
    source.object = H5Handle(
        source.check(H5Aopen_by_name(file.id(), object.c_str(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT)), H5Aclose);
    source.type = H5Handle(source.check(H5Aget_type(source.object)), H5Tclose);
    source.space = H5Handle(source.check(H5Aget_space(source.object)), H5Sclose);
    source.describe();
    return source;
}

/// @param fetch  reads all elements into a buffer of a type
template <class Fetch>
std::vector<std::string> texts_of(const OpenSource& source, const Fetch& fetch) {
    std::vector<std::string> values(static_cast<std::size_t>(source.info.element_count()));
    if (values.empty()) {
        return values;
    }
    if (source.check(H5Tis_variable_str(source.type)) > 0) {
        std::vector<char*> pointers(values.size(), nullptr);
        source.check(fetch(pointers.data()));
        for (std::size_t i = 0; i < values.size(); ++i) {
            values[i] = pointers[i] != nullptr ? pointers[i] : "";
            H5free_memory(pointers[i]);
        }
        return values;
    }
    const auto length = static_cast<std::size_t>(source.info.element_bytes);
    std::vector<char> buffer(values.size() * length);
    source.check(fetch(buffer.data()));
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

}  // namespace

Hdf5Look dataset_look_there(const H5File& file, const std::string& dataset) {
    Hdf5Look look;
    look.exists = file.has_dataset(dataset);
    if (look.exists) {
        const OpenSource source = open_dataset(file, dataset);
        look.info = source.info;
        look.stored = hdf5_stored(source.object, look.info);
    }
    return look;
}

H5Info attribute_info_there(const H5File& file, const std::string& object, const std::string& name) {
    return open_attribute(file, object, name).info;
}

template <class T>
SharedBlock numbers_there(const H5File& file, const std::string& dataset, const std::vector<Index>& start,
                          const std::vector<Index>& block, const ReadingRoom& room) {
    const OpenSource source = open_dataset(file, dataset);
    const Index count = std::accumulate(block.begin(), block.end(), Index{1}, std::multiplies<>());
    SharedBlock numbers = room.memory(static_cast<std::size_t>(count) * sizeof(T));
    std::ranges::fill(numbers.bytes(), std::byte{});  // where HDF5 would leave the memory as it is
    hid_t memory_space = H5S_ALL, file_space = H5S_ALL;
    H5Handle memory;
    if (!block.empty()) {
        const std::vector<hsize_t> first(start.begin(), start.end()), extents(block.begin(), block.end());
        source.check(H5Sselect_hyperslab(source.space, H5S_SELECT_SET, first.data(), nullptr, extents.data(), nullptr));
        memory = H5Handle(source.check(H5Screate_simple(static_cast<int>(extents.size()), extents.data(), nullptr)),
                          H5Sclose);
        memory_space = memory;
        file_space = source.space;
    }
    source.check(
        H5Dread(source.object, source.memory_type<T>(), memory_space, file_space, H5P_DEFAULT, numbers.bytes().data()));
    return numbers;
}

template <class T>
std::vector<T> attribute_numbers_there(const H5File& file, const std::string& object, const std::string& name) {
    const OpenSource source = open_attribute(file, object, name);
    std::vector<T> numbers(static_cast<std::size_t>(source.info.element_count()));
    if (!numbers.empty()) {
        source.check(H5Aread(source.object, source.memory_type<T>(), numbers.data()));
    }
    return numbers;
}

std::vector<std::string> texts_there(const H5File& file, const std::string& dataset) {
    const OpenSource source = open_dataset(file, dataset);
    return texts_of(source, [&](void* buffer) {
        return H5Dread(source.object, source.type, H5S_ALL, H5S_ALL, H5P_DEFAULT, buffer);
    });
}

std::vector<std::string> attribute_texts_there(const H5File& file, const std::string& object, const std::string& name) {
    const OpenSource source = open_attribute(file, object, name);
    return texts_of(source, [&](void* buffer) { return H5Aread(source.object, source.type, buffer); });
}

#define RECON_READ_THERE(T)                                                                             \
    template SharedBlock numbers_there<T>(const H5File&, const std::string&, const std::vector<Index>&, \
                                          const std::vector<Index>&, const ReadingRoom&);               \
    template std::vector<T> attribute_numbers_there<T>(const H5File&, const std::string&, const std::string&)
RECON_READ_THERE(float);
RECON_READ_THERE(double);
RECON_READ_THERE(Index);
RECON_READ_THERE(cfloat);
RECON_READ_THERE(cdouble);
#undef RECON_READ_THERE

}  // namespace recon
