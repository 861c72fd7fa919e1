#include "data/files/hdf5_types.hpp"

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
        const H5T_class_t kind = H5Tget_member_class(type, member);
        if (kind != H5T_FLOAT && kind != H5T_INTEGER) {
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

/// Bits [position, position + size) lie within the first `limit`.
bool within(std::size_t position, std::size_t size, std::size_t limit) {
    return size <= limit && position <= limit - size;
}

bool number_is_sound(hid_t type) {
    const std::size_t bits = 8 * H5Tget_size(type);
    const int offset = H5Tget_offset(type);
    const std::size_t precision = H5Tget_precision(type);
    if (offset < 0 || precision == 0 || !within(static_cast<std::size_t>(offset), precision, bits)) {
        return false;
    }
    if (H5Tget_class(type) != H5T_FLOAT) {
        return true;
    }
    std::size_t sign = 0, exponent = 0, exponent_size = 0, mantissa = 0, mantissa_size = 0;
    return H5Tget_fields(type, &sign, &exponent, &exponent_size, &mantissa, &mantissa_size) >= 0 &&
           within(sign, 1, precision) && exponent_size > 0 && within(exponent, exponent_size, precision) &&
           mantissa_size > 0 && within(mantissa, mantissa_size, precision);
}

bool compound_is_sound(hid_t type) {
    const std::size_t size = H5Tget_size(type);
    std::size_t used = 0;
    const int count = H5Tget_nmembers(type);
    for (int i = 0; i < count; ++i) {
        const auto member = static_cast<unsigned>(i);
        const H5Handle member_type(H5Tget_member_type(type, member), H5Tclose);
        const std::size_t member_size = member_type < 0 ? 0 : H5Tget_size(member_type);
        used += member_size;
        if (member_size == 0 || !within(H5Tget_member_offset(type, member), member_size, size) ||
            !h5_type_is_sound(member_type)) {
            return false;
        }
    }
    return count > 0 && used <= size;
}

bool array_is_sound(hid_t type) {
    const H5Handle element(H5Tget_super(type), H5Tclose);
    const int rank = H5Tget_array_ndims(type);
    if (element < 0 || rank < 1 || rank > H5S_MAX_RANK) {
        return false;
    }
    std::vector<hsize_t> extents(static_cast<std::size_t>(rank));
    H5Tget_array_dims2(type, extents.data());
    std::size_t bytes = H5Tget_size(element);
    for (const hsize_t extent : extents) {
        if (__builtin_mul_overflow(bytes, extent, &bytes)) {
            return false;
        }
    }
    return bytes == H5Tget_size(type) && h5_type_is_sound(element);
}

}  // namespace

bool h5_type_is_sound(hid_t type) {
    if (type < 0 || H5Tget_size(type) == 0) {
        return false;
    }
    switch (H5Tget_class(type)) {
        case H5T_INTEGER:
        case H5T_FLOAT:
        case H5T_BITFIELD: return number_is_sound(type);
        case H5T_COMPOUND: return compound_is_sound(type);
        case H5T_ARRAY: return array_is_sound(type);
        case H5T_VLEN: {
            const H5Handle element(H5Tget_super(type), H5Tclose);
            return h5_type_is_sound(element);
        }
        case H5T_STRING: return true;
        default: return H5Tget_class(type) != H5T_NO_CLASS;
    }
}

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
