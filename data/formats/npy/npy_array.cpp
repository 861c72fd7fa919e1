#include "data/formats/npy/npy_array.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>

#include "core/base/error.hpp"

namespace recon {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::string_view magic = "\x93NUMPY";

/// What the header of an array says, a literal dictionary of Python.
struct NpyHeader {
    std::string type;  ///< "<c8"
    bool fortran_order = false;
    std::vector<Index> extents;
    std::size_t data_start = 0;
};

[[noreturn]] void fail(const std::string& where, const std::string& what) {
    throw InputError(fmt::format("{}: is no array that NumPy wrote, or damaged: {}", where, what));
}

/// What follows 'key': in the dictionary.
std::string_view value_of(std::string_view header, std::string_view key, const std::string& where) {
    const std::size_t found = header.find(fmt::format("'{}'", key));
    const std::size_t colon = found == std::string_view::npos ? found : header.find(':', found);
    if (colon == std::string_view::npos) {
        fail(where, fmt::format("its header has no {}", key));
    }
    const std::size_t start = header.find_first_not_of(' ', colon + 1);
    return start == std::string_view::npos ? std::string_view() : header.substr(start);
}

std::vector<Index> extents_in(std::string_view tuple, const std::string& where) {
    const std::size_t end = tuple.find(')');
    if (!tuple.starts_with('(') || end == std::string_view::npos) {
        fail(where, "its shape is no tuple");
    }
    std::vector<Index> extents;
    Index elements = 1, extent = -1;
    for (const char c : tuple.substr(1, end)) {
        if (c >= '0' && c <= '9') {
            extent = std::max<Index>(extent, 0) * 10 + (c - '0');
            if (extent > std::numeric_limits<Index>::max() / 32 / elements) {
                fail(where, "its shape is larger than memory can be");
            }
        } else if (extent >= 0) {
            extents.push_back(extent);
            elements *= std::max<Index>(extent, 1);
            extent = -1;
        }
    }
    return extents;
}

NpyHeader parse_header(std::span<const std::byte> bytes, const std::string& where) {
    const auto byte = [&](std::size_t i) { return std::to_integer<std::size_t>(bytes[i]); };
    constexpr std::size_t shortest = 12;
    if (!is_npy(bytes) || bytes.size() < shortest) {
        fail(where, "it does not begin like one");
    }
    const bool long_header = byte(magic.size()) >= 2;
    const std::size_t start = long_header ? 12 : 10;
    const std::size_t length =
        byte(8) + 256 * byte(9) + (long_header ? 65536 * byte(10) + 16777216 * byte(11) : std::size_t{0});
    if (length > bytes.size() - start) {
        fail(where, "it ends within its header");
    }
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()) + start, length);
    NpyHeader header;
    const std::string_view type = value_of(text, "descr", where);
    const std::size_t quote = type.find('\'', 1);
    if (!type.starts_with('\'') || quote == std::string_view::npos) {
        fail(where, "it has fields with names; expected plain numbers");
    }
    header.type = type.substr(1, quote - 1);
    header.fortran_order = value_of(text, "fortran_order", where).starts_with("True");
    header.extents = extents_in(value_of(text, "shape", where), where);
    header.data_start = start + length;
    return header;
}

/// From the order of Fortran, first axis fastest, to that of C.
template <class T>
std::vector<T> in_c_order(const std::vector<T>& values, const std::vector<Index>& extents) {
    std::vector<T> result(values.size());
    std::vector<Index> index(extents.size(), 0);
    for (std::size_t from = 0; from < values.size(); ++from) {
        Index to = 0;
        for (std::size_t axis = 0; axis < extents.size(); ++axis) {
            to = to * extents[axis] + index[axis];
        }
        result[static_cast<std::size_t>(to)] = values[from];
        for (std::size_t axis = 0; axis < extents.size() && ++index[axis] == extents[axis]; ++axis) {
            index[axis] = 0;
        }
    }
    return result;
}

template <class Stored, class T>
void take(std::span<const std::byte> data, const NpyHeader& header, StoredArray& array) {
    const auto count = static_cast<std::size_t>(array.element_count());
    if (data.size() != count * sizeof(Stored)) {
        fail(array.where, fmt::format("{} bytes of numbers, expected {} for {} {}", data.size(), count * sizeof(Stored),
                                      array.extents_text(), header.type));
    }
    std::vector<T> values(count);
    for (std::size_t i = 0; i < count; ++i) {
        Stored value;
        std::memcpy(&value, data.data() + i * sizeof(Stored), sizeof(Stored));
        values[i] = static_cast<T>(value);
    }
    array.values =
        header.fortran_order && header.extents.size() > 1 ? in_c_order(values, header.extents) : std::move(values);
}

/// What makes an array of that type one that is read.
std::string advice_for(const std::string& type) {
    const char kind = type.size() > 1 ? type[1] : ' ';
    return kind == 'c'                                 ? "save array.astype(numpy.complex64) instead"
           : kind == 'f' || kind == 'i' || kind == 'u' ? "save array.astype(numpy.float64) instead"
                                                       : "save an array of numbers instead";
}

template <class T>
constexpr const char* npy_type = nullptr;
template <>
constexpr const char* npy_type<cfloat> = "<c8";
template <>
constexpr const char* npy_type<double> = "<f8";
template <>
constexpr const char* npy_type<Index> = "<i8";

std::vector<std::byte> with_header(const std::string& type, const std::vector<Index>& extents,
                                   std::span<const std::byte> data) {
    std::string shape;
    for (const Index extent : extents) {
        shape += fmt::format("{},", extent);
    }
    std::string header = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", type, shape);
    constexpr std::size_t before = 10, alignment = 64;
    header.append(alignment - (before + header.size() + 1) % alignment, ' ');
    header += '\n';
    std::string start(magic);
    start += {'\x01', '\x00', static_cast<char>(header.size() % 256), static_cast<char>(header.size() / 256)};
    start += header;
    std::vector<std::byte> bytes(start.size() + data.size());
    std::memcpy(bytes.data(), start.data(), start.size());
    if (!data.empty()) {
        std::memcpy(bytes.data() + start.size(), data.data(), data.size());
    }
    return bytes;
}

}  // namespace

bool is_npy(std::span<const std::byte> bytes) {
    return bytes.size() >= magic.size() && std::memcmp(bytes.data(), magic.data(), magic.size()) == 0;
}

StoredArray parse_npy(std::span<const std::byte> bytes, const std::string& where) {
    const NpyHeader header = parse_header(bytes, where);
    StoredArray array;
    array.where = where;
    array.extents = header.extents;
    const auto data = bytes.subspan(header.data_start);
    const std::string type = header.type.starts_with('|') ? "<" + header.type.substr(1) : header.type;
    if (type == "<c8") {
        take<cfloat, cfloat>(data, header, array);
    } else if (type == "<c16") {
        take<cdouble, cfloat>(data, header, array);
    } else if (type == "<f8") {
        take<double, double>(data, header, array);
    } else if (type == "<f4") {
        take<float, double>(data, header, array);
    } else if (type == "<i8") {
        take<std::int64_t, double>(data, header, array);
    } else if (type == "<i4") {
        take<std::int32_t, double>(data, header, array);
    } else if (type == "<i2") {
        take<std::int16_t, double>(data, header, array);
    } else if (type == "<u2") {
        take<std::uint16_t, double>(data, header, array);
    } else if (type == "<u1" || type == "<b1") {
        take<std::uint8_t, double>(data, header, array);
    } else {
        throw InputError(fmt::format(
            "{}: holds values of the type {}, expected complex64, complex128, float32, float64 or integers, "
            "little-endian; {}",
            where, header.type, advice_for(header.type)));
    }
    return array;
}

std::string parse_npy_text(std::span<const std::byte> bytes, const std::string& where) {
    const NpyHeader header = parse_header(bytes, where);
    const auto data = bytes.subspan(header.data_start);
    const bool wide = header.type.starts_with("<U");  // a character is 32 bits
    if ((!wide && !header.type.starts_with("|S")) || (wide && data.size() % 4 != 0)) {
        fail(where, fmt::format("it is of type {}, expected a text", header.type));
    }
    std::string text;
    for (std::size_t i = 0; i < data.size(); i += wide ? 4 : 1) {
        const auto character = std::to_integer<char>(data[i]);
        if (character != '\0') {
            text += character;
        }
    }
    return text;
}

std::vector<std::byte> npy_text_bytes(const std::string& text) {
    std::string data;
    for (const char c : text) {
        data += {c, '\0', '\0', '\0'};
    }
    return with_header(fmt::format("<U{}", text.size()), {}, std::as_bytes(std::span(data)));
}

template <class T>
std::vector<std::byte> npy_bytes(const std::vector<Index>& extents, std::span<const T> values) {
    return with_header(npy_type<T>, extents, std::as_bytes(values));
}

template std::vector<std::byte> npy_bytes(const std::vector<Index>&, std::span<const cfloat>);
template std::vector<std::byte> npy_bytes(const std::vector<Index>&, std::span<const double>);
template std::vector<std::byte> npy_bytes(const std::vector<Index>&, std::span<const Index>);

}  // namespace recon
