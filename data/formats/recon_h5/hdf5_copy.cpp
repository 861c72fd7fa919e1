#include "data/formats/recon_h5/hdf5_copy.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/error.hpp"

namespace recon {
namespace {

/// Calls `with` a number of the type that holds those of a dataset or an attribute, or a text.
template <class With>
void with_type_of(const H5Info& info, const std::string& path, const std::string& name, const With& with) {
    switch (info.kind) {
        case H5Kind::real: return info.element_bytes > Index{sizeof(float)} ? with(double{}) : with(float{});
        case H5Kind::integer: return with(Index{});
        case H5Kind::complex: return info.element_bytes > Index{sizeof(cfloat)} ? with(cdouble{}) : with(cfloat{});
        case H5Kind::text: return with(std::string{});
        case H5Kind::other: break;
    }
    throw InputError(fmt::format("{}: {} is neither numbers nor texts, and cannot be copied", path, name));
}

/// Some rows along the slowest axis at a time.
template <class T>
void copy_rows(const H5File& from, const std::string& from_name, H5File& to, const std::string& to_name,
               const H5Info& info) {
    constexpr Index most_bytes = Index{64} << 20;
    const Index rows = info.extents[0];
    const Index row_bytes = info.element_count() / rows * static_cast<Index>(sizeof(T));
    const Index at_once = std::max<Index>(1, most_bytes / row_bytes);
    to.create_dataset<T>(to_name, info.extents);
    for (Index row = 0; row < rows; row += at_once) {
        const std::vector<T> values = from.read_rows<T>(from_name, row, std::min(at_once, rows - row));
        to.write_rows<T>(to_name, row, values);
    }
}

void copy_dataset(const H5File& from, const std::string& from_name, H5File& to, const std::string& to_name) {
    const H5Info info = from.dataset_info(from_name);
    with_type_of(info, from.path(), from_name, [&]<class T>(const T&) {
        if constexpr (!std::is_same_v<T, std::string>) {
            if (!info.extents.empty() && info.element_count() > 0) {
                return copy_rows<T>(from, from_name, to, to_name, info);
            }
        }
        to.write(to_name, info.extents, from.read<T>(from_name));
    });
}

void copy_attributes(const H5File& from, const std::string& from_name, H5File& to, const std::string& to_name) {
    for (const std::string& name : from.attribute_names(from_name)) {
        const H5Info info = from.attribute_info(from_name, name);
        const std::string what = fmt::format("attribute {} of {}", name, from_name);
        with_type_of(info, from.path(), what, [&]<class T>(const T&) {
            if constexpr (std::is_same_v<T, cfloat> || std::is_same_v<T, cdouble>) {
                throw InputError(fmt::format("{}: {} is complex, and cannot be copied", from.path(), what));
            } else {
                using Written = std::conditional_t<std::is_same_v<T, float>, double, T>;
                const auto values = from.read_attribute<Written>(from_name, name);
                if (info.extents.empty()) {
                    to.write_attribute(to_name, name, values.at(0));
                } else {
                    to.write_attribute(to_name, name, values);
                }
            }
        });
    }
}

}  // namespace

void copy_object(const H5File& from, const std::string& from_name, H5File& to, const std::string& to_name) {
    if (from.has_dataset(from_name)) {
        copy_dataset(from, from_name, to, to_name);
    } else {
        to.create_group(to_name);
        for (const std::string& name : from.names_in(from_name)) {
            copy_object(from, from_name + "/" + name, to, to_name + "/" + name);
        }
    }
    copy_attributes(from, from_name, to, to_name);
}

}  // namespace recon
