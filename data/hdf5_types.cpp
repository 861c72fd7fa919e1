#include "data/hdf5_types.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>

namespace recon {
namespace {

std::string member_name(hid_t compound, unsigned member) {
    char* name = H5Tget_member_name(compound, member);
    std::string result = name != nullptr ? name : "";
    H5free_memory(name);
    return result;
}

bool is_complex(hid_t type) {
    if (H5Tget_class(type) != H5T_COMPOUND || H5Tget_nmembers(type) != 2) {
        return false;
    }
    for (unsigned member = 0; member < 2; ++member) {
        if (H5Tget_member_class(type, member) != H5T_FLOAT) {
            return false;
        }
    }
    std::array<std::string, 2> names{member_name(type, 0), member_name(type, 1)};
    for (std::string& name : names) {
        std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
    }
    using Names = std::array<std::string, 2>;
    return names == Names{"r", "i"} || names == Names{"real", "imag"} || names == Names{"re", "im"};
}

}  // namespace

std::string_view h5_kind_name(H5Kind kind) {
    switch (kind) {
        case H5Kind::real: return "real numbers";
        case H5Kind::integer: return "integers";
        case H5Kind::complex: return "complex numbers";
        case H5Kind::text: return "text";
        case H5Kind::other: break;
    }
    return "another type";
}

H5Info h5_describe(hid_t type, hid_t space) {
    H5Info info;
    info.element_bytes = static_cast<Index>(H5Tget_size(type));
    const H5T_class_t type_class = H5Tget_class(type);
    if (type_class == H5T_FLOAT) {
        info.kind = H5Kind::real;
    } else if (type_class == H5T_INTEGER) {
        info.kind = H5Kind::integer;
    } else if (type_class == H5T_STRING) {
        info.kind = H5Kind::text;
    } else if (is_complex(type)) {
        info.kind = H5Kind::complex;
    }
    if (H5Sget_simple_extent_type(space) == H5S_NULL) {
        info.extents = {0};
        return info;
    }
    const int rank = H5Sget_simple_extent_ndims(space);
    std::vector<hsize_t> extents(static_cast<std::size_t>(std::max(rank, 0)));
    H5Sget_simple_extent_dims(space, extents.data(), nullptr);
    info.extents.assign(extents.begin(), extents.end());
    return info;
}

H5Handle h5_complex_type(hid_t component, const std::string& first, const std::string& second) {
    const std::size_t bytes = H5Tget_size(component);
    H5Handle type(H5Tcreate(H5T_COMPOUND, 2 * bytes), H5Tclose);
    H5Tinsert(type, first.c_str(), 0, component);
    H5Tinsert(type, second.c_str(), bytes, component);
    return type;
}

H5Handle h5_complex_type_like(hid_t compound, hid_t component) {
    return h5_complex_type(component, member_name(compound, 0), member_name(compound, 1));
}

H5Handle h5_text_type() {
    H5Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
    H5Tset_size(type, H5T_VARIABLE);
    H5Tset_cset(type, H5T_CSET_UTF8);
    return type;
}

Index H5Info::element_count() const {
    Index count = 1;
    for (const Index extent : extents) {
        if (extent < 0 || __builtin_mul_overflow(count, extent, &count)) {
            throw InputError(fmt::format("a dataset of {} has more elements than can be counted", text()));
        }
    }
    return count;
}

std::string H5Info::text() const {
    std::string type = "other";
    switch (kind) {
        case H5Kind::real: type = fmt::format("float{}", 8 * element_bytes); break;
        case H5Kind::integer: type = fmt::format("int{}", 8 * element_bytes); break;
        case H5Kind::complex: type = fmt::format("complex{}", 8 * element_bytes); break;
        case H5Kind::text: type = "text"; break;
        case H5Kind::other: break;
    }
    return extents.empty() ? type : fmt::format("{} [{}]", type, fmt::join(extents, ", "));
}

}  // namespace recon
