// The writing half of H5File.
#include <fmt/format.h>

#include "data/files/hdf5_file.hpp"
#include "data/files/hdf5_types.hpp"

namespace recon {
namespace {

Index count_of(const std::vector<Index>& extents) {
    Index count = 1;
    for (const Index extent : extents) {
        count *= extent;
    }
    return count;
}

H5Handle make_space(const std::string& path, const std::string& what, const std::vector<Index>& extents,
                    Index value_count) {
    const Index count = count_of(extents);
    if (count != value_count) {
        throw ShapeError(fmt::format("{}: {} of {} elements was given {} values", path, what, count, value_count));
    }
    const std::vector<hsize_t> dimensions(extents.begin(), extents.end());
    const hid_t space = extents.empty()
                            ? H5Screate(H5S_SCALAR)
                            : H5Screate_simple(static_cast<int>(extents.size()), dimensions.data(), nullptr);
    return {h5_check(space, path, "describing " + what), H5Sclose};
}

/// Calls `write` with the address of the values as HDF5 wants them.
template <class T, class Write>
herr_t with_buffer(std::span<const T> values, Write&& write) {
    if constexpr (std::is_same_v<T, std::string>) {
        std::vector<const char*> pointers;
        pointers.reserve(values.size());
        for (const std::string& value : values) {
            pointers.push_back(value.c_str());
        }
        return write(static_cast<const void*>(pointers.data()));
    } else {
        return write(static_cast<const void*>(values.data()));
    }
}

template <class T>
H5Handle make_dataset(const std::string& path, hid_t file, const std::string& name, const H5Handle& space) {
    const std::string what = "dataset " + name;
    const H5Handle with_groups(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
    h5_check(H5Pset_create_intermediate_group(with_groups, 1), path, "preparing " + what);
    const H5Handle without_time(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);  // the same file from the same numbers
    h5_check(H5Pset_obj_track_times(without_time, false), path, "preparing " + what);
    return {h5_check(H5Dcreate2(file, name.c_str(), h5_memory_type<T>(), space, with_groups, without_time, H5P_DEFAULT),
                     path, "creating " + what),
            H5Dclose};
}

template <class T>
void put_dataset(const std::string& path, hid_t file, const std::string& name, const std::vector<Index>& extents,
                 std::span<const T> values) {
    const std::string what = "dataset " + name;
    const H5Handle space = make_space(path, what, extents, static_cast<Index>(values.size()));
    const H5Handle type = h5_memory_type<T>();
    H5Handle dataset = make_dataset<T>(path, file, name, space);
    if (!values.empty()) {
        h5_check(with_buffer(values,
                             [&](const void* buffer) {
                                 return H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, buffer);
                             }),
                 path, "writing " + what);
    }
    h5_check(dataset.close(), path, "writing the end of " + what);  // small datasets are written no sooner
}

template <class T>
void put_attribute(const std::string& path, hid_t file, const std::string& object, const std::string& name,
                   const std::vector<Index>& extents, std::span<const T> values) {
    const std::string what = fmt::format("attribute {} of {}", name, object);
    const H5Handle space = make_space(path, what, extents, static_cast<Index>(values.size()));
    const H5Handle type = h5_memory_type<T>();
    H5Handle attribute(h5_check(H5Acreate_by_name(file, object.c_str(), name.c_str(), type, space, H5P_DEFAULT,
                                                  H5P_DEFAULT, H5P_DEFAULT),
                                path, "creating " + what),
                       H5Aclose);
    if (!values.empty()) {
        h5_check(with_buffer(values, [&](const void* buffer) { return H5Awrite(attribute, type, buffer); }), path,
                 "writing " + what);
    }
    h5_check(attribute.close(), path, "writing the end of " + what);
}

}  // namespace

void H5File::create_group(const std::string& name) {
    const H5Handle with_groups(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
    h5_check(H5Pset_create_intermediate_group(with_groups, 1), path_, "preparing group " + name);
    H5Handle group(h5_check(H5Gcreate2(id(), name.c_str(), with_groups, H5P_DEFAULT, H5P_DEFAULT), path_,
                            "creating group " + name),
                   H5Gclose);
    h5_check(group.close(), path_, "creating group " + name);
}

template <class T>
void H5File::write(const std::string& dataset, const std::vector<Index>& extents, std::span<const T> values) {
    put_dataset(path_, id(), dataset, extents, values);
}

template <class T>
void H5File::create_dataset(const std::string& dataset, const std::vector<Index>& extents) {
    const H5Handle space = make_space(path_, "dataset " + dataset, extents, count_of(extents));
    H5Handle object = make_dataset<T>(path_, id(), dataset, space);
    h5_check(object.close(), path_, "creating dataset " + dataset);
}

template <class T>
void H5File::write_rows(const std::string& dataset, Index first, std::span<const T> values) {
    const std::string what = "rows of dataset " + dataset;
    H5Handle object(h5_check(H5Dopen2(id(), dataset.c_str(), H5P_DEFAULT), path_, "opening " + what), H5Dclose);
    const H5Handle space(h5_check(H5Dget_space(object), path_, "opening " + what), H5Sclose);
    const H5Info info = dataset_info(dataset);
    const auto value_count = static_cast<Index>(values.size());
    const Index row_size = info.extents.empty() || info.extents[0] == 0 ? 0 : info.element_count() / info.extents[0];
    if (row_size == 0 || value_count % row_size != 0 || first < 0 || first + value_count / row_size > info.extents[0]) {
        throw ShapeError(fmt::format("{}: {} values at row {} of dataset {}, which is {}", path_, value_count, first,
                                     dataset, info.text()));
    }
    std::vector<hsize_t> start(info.extents.size(), 0);
    std::vector<hsize_t> block(info.extents.begin(), info.extents.end());
    start[0] = static_cast<hsize_t>(first);
    block[0] = static_cast<hsize_t>(value_count / row_size);
    h5_check(H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, block.data(), nullptr), path_,
             "selecting " + what);
    const H5Handle memory(H5Screate_simple(static_cast<int>(block.size()), block.data(), nullptr), H5Sclose);
    const H5Handle type = h5_memory_type<T>();
    h5_check(
        with_buffer(values,
                    [&](const void* buffer) { return H5Dwrite(object, type, memory, space, H5P_DEFAULT, buffer); }),
        path_, "writing " + what);
    h5_check(object.close(), path_, "writing the end of " + what);
}

void H5File::write_scalar(const std::string& dataset, Index value) {
    put_dataset(path_, id(), dataset, {}, std::span<const Index>(&value, 1));
}
void H5File::write_scalar(const std::string& dataset, const std::string& value) {
    put_dataset(path_, id(), dataset, {}, std::span<const std::string>(&value, 1));
}

void H5File::write_attribute(const std::string& object, const std::string& name, double value) {
    put_attribute(path_, id(), object, name, {}, std::span<const double>(&value, 1));
}
void H5File::write_attribute(const std::string& object, const std::string& name, Index value) {
    put_attribute(path_, id(), object, name, {}, std::span<const Index>(&value, 1));
}
void H5File::write_attribute(const std::string& object, const std::string& name, const std::string& value) {
    put_attribute(path_, id(), object, name, {}, std::span<const std::string>(&value, 1));
}
template <class T>
void H5File::write_attribute(const std::string& object, const std::string& name, const std::vector<T>& values) {
    put_attribute(path_, id(), object, name, {static_cast<Index>(values.size())}, std::span<const T>(values));
}

template void H5File::create_dataset<float>(const std::string&, const std::vector<Index>&);
template void H5File::write_rows<float>(const std::string&, Index, std::span<const float>);
template void H5File::write<float>(const std::string&, const std::vector<Index>&, std::span<const float>);
template void H5File::create_dataset<double>(const std::string&, const std::vector<Index>&);
template void H5File::write_rows<double>(const std::string&, Index, std::span<const double>);
template void H5File::write<double>(const std::string&, const std::vector<Index>&, std::span<const double>);
template void H5File::write_attribute<double>(const std::string&, const std::string&, const std::vector<double>&);
template void H5File::create_dataset<Index>(const std::string&, const std::vector<Index>&);
template void H5File::write_rows<Index>(const std::string&, Index, std::span<const Index>);
template void H5File::write<Index>(const std::string&, const std::vector<Index>&, std::span<const Index>);
template void H5File::write_attribute<Index>(const std::string&, const std::string&, const std::vector<Index>&);
template void H5File::create_dataset<cfloat>(const std::string&, const std::vector<Index>&);
template void H5File::write_rows<cfloat>(const std::string&, Index, std::span<const cfloat>);
template void H5File::write<cfloat>(const std::string&, const std::vector<Index>&, std::span<const cfloat>);
template void H5File::create_dataset<cdouble>(const std::string&, const std::vector<Index>&);
template void H5File::write_rows<cdouble>(const std::string&, Index, std::span<const cdouble>);
template void H5File::write<cdouble>(const std::string&, const std::vector<Index>&, std::span<const cdouble>);
template void H5File::write<std::string>(const std::string&, const std::vector<Index>&, std::span<const std::string>);
template void H5File::write_attribute<std::string>(const std::string&, const std::string&,
                                                   const std::vector<std::string>&);

}  // namespace recon
