// The walk of hdf5_probe.hpp.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <set>
#include <vector>

#include "data/files/hdf5_probe.hpp"
#include "data/files/hdf5_types.hpp"

namespace recon {
namespace {

constexpr int deepest_hdf5_group = 32;
constexpr std::size_t most_objects = 200'000;
constexpr hsize_t most_small_bytes = hsize_t{1} << 16;   ///< of a dataset whose elements are read
constexpr hsize_t most_piece_bytes = hsize_t{16} << 20;  ///< of a larger one at a time

struct NamedLink {
    std::string name;
    H5L_type_t type;
};

std::vector<NamedLink> links_in(hid_t group) {
    std::vector<NamedLink> links;
    const auto collect = [](hid_t, const char* name, const H5L_info_t* info, void* out) -> herr_t {
        auto& found = *static_cast<std::vector<NamedLink>*>(out);
        found.push_back({name, info->type});
        return found.size() > most_objects ? 1 : 0;
    };
    H5Literate(group, H5_INDEX_NAME, H5_ITER_NATIVE, nullptr, collect, &links);
    return links;
}

std::vector<std::string> attributes_of(hid_t object) {
    std::vector<std::string> names;
    const auto collect = [](hid_t, const char* name, const H5A_info_t*, void* out) -> herr_t {
        auto& found = *static_cast<std::vector<std::string>*>(out);
        found.emplace_back(name);
        return found.size() > most_objects ? 1 : 0;
    };
    H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_NATIVE, nullptr, collect, &names);
    return names;
}

/// What a reader converts elements to (hdf5_reading/hdf5_read.cpp): the widest of their kind.
H5Handle type_in_memory(hid_t type, H5Kind kind) {
    switch (kind) {
        case H5Kind::real: return {H5Tcopy(H5T_NATIVE_DOUBLE), H5Tclose};
        case H5Kind::integer: return {H5Tcopy(H5T_NATIVE_INT64), H5Tclose};
        case H5Kind::complex: return h5_complex_type_like(type, H5T_NATIVE_DOUBLE);
        case H5Kind::text:
        case H5Kind::other: break;
    }
    return {H5Tcopy(type), H5Tclose};
}

/// Lists of numbers of any length: nobody reads these by the library alone (data/formats/mrd/heap).
bool is_read_elsewhere(hid_t type, H5Kind kind) { return kind == H5Kind::other && H5Tdetect_class(type, H5T_VLEN) > 0; }

bool has_other_filters(hid_t properties) {
    const int count = H5Pget_nfilters(properties);
    for (int i = 0; i < count; ++i) {
        unsigned flags = 0, settings = 0;
        std::size_t values = 0;
        const H5Z_filter_t filter =
            H5Pget_filter2(properties, static_cast<unsigned>(i), &flags, &values, nullptr, 0, nullptr, &settings);
        if (filter != H5Z_FILTER_SHUFFLE && filter != H5Z_FILTER_DEFLATE) {
            return true;
        }
    }
    return count < 0;
}

class Hdf5Walk {
public:
    Hdf5Walk(const std::string& path, hid_t file) : path_(path), file_(file) {}

    void go() { visit("/"); }

private:
    void visit(const std::string& name) {
        if (++object_count_ > most_objects) {
            throw InputError(
                fmt::format("{}: holds more than {} objects; expected a scan, an image or maps", path_, most_objects));
        }
        const H5Handle object(H5Oopen(file_, name.c_str(), H5P_DEFAULT), H5Oclose);
        H5O_info_t info{};
        if (object < 0 || H5Oget_info2(object, &info, H5O_INFO_BASIC) < 0) {
            return;
        }
        require_no_circle(name, info.addr);
        if (!seen_.insert(info.addr).second) {
            return;
        }
        look_at_attributes(object, name);
        switch (info.type) {
            case H5O_TYPE_GROUP: look_into(object, name, info.addr); break;
            case H5O_TYPE_DATASET: look_at_dataset(object, name); break;
            case H5O_TYPE_NAMED_DATATYPE: require_sound(object, name); break;
            default: break;
        }
    }

    void require_no_circle(const std::string& name, haddr_t address) const {
        if (std::find(above_.begin(), above_.end(), address) != above_.end() ||
            above_.size() > static_cast<std::size_t>(deepest_hdf5_group)) {
            constexpr std::size_t shown = 60;
            throw InputError(
                fmt::format("{}: groups lie in each other in a circle, or deeper than {} levels: {}{}; copy what is "
                            "needed into a file of its own",
                            path_, deepest_hdf5_group, name.substr(0, shown), name.size() > shown ? "..." : ""));
        }
    }

    void look_into(hid_t group, const std::string& name, haddr_t address) {
        above_.push_back(address);
        for (const NamedLink& link : links_in(group)) {
            const std::string path = (name == "/" ? "" : name) + "/" + link.name;
            if (link.type == H5L_TYPE_HARD) {
                visit(path);
            } else if (link.type != H5L_TYPE_SOFT) {  // what a symbolic link leads to has a name of its own
                throw InputError(fmt::format(
                    "{}: {} is a link into another file, which is not followed; copy what it names into this file",
                    path_, path));
            }
        }
        above_.pop_back();
    }

    void require_sound(hid_t type, const std::string& name) const {
        if (!h5_type_is_sound(type)) {
            throw InputError(fmt::format("{}: the type of {} contradicts itself; the file is damaged", path_, name));
        }
    }

    void look_at_attributes(hid_t object, const std::string& name) {
        for (const std::string& attribute_name : attributes_of(object)) {
            const H5Handle attribute(H5Aopen(object, attribute_name.c_str(), H5P_DEFAULT), H5Aclose);
            const H5Handle type(attribute < 0 ? -1 : H5Aget_type(attribute), H5Tclose);
            const H5Handle space(attribute < 0 ? -1 : H5Aget_space(attribute), H5Sclose);
            if (type < 0 || space < 0) {
                continue;
            }
            require_sound(type, fmt::format("attribute {} of {}", attribute_name, name));
            read_all(type, space, [&](hid_t in_memory, void* buffer) { return H5Aread(attribute, in_memory, buffer); });
        }
    }

    void look_at_dataset(hid_t dataset, const std::string& name) {
        const H5Handle properties(H5Dget_create_plist(dataset), H5Pclose);
        const H5Handle type(H5Dget_type(dataset), H5Tclose);
        const H5Handle space(H5Dget_space(dataset), H5Sclose);
        if (properties < 0 || type < 0 || space < 0) {
            return;
        }
        if (H5Pget_layout(properties) == H5D_VIRTUAL || H5Pget_external_count(properties) > 0) {
            throw InputError(
                fmt::format("{}: the numbers of dataset {} lie in other files, which are not read; copy "
                            "the dataset with its contents into one file",
                            path_, name));
        }
        require_sound(type, "dataset " + name);
        H5Dget_storage_size(dataset);
        if (H5Pget_layout(properties) == H5D_CHUNKED) {
            hsize_t chunk_count = 0;
            H5Dget_num_chunks(dataset, space, &chunk_count);  // goes through their index
            if (chunk_count > 0) {
                require_whole_chunk(dataset, properties, type, space, name);
            }
        }
        const bool is_whole = read_all(type, space, [&](hid_t in_memory, void* buffer) {
            return H5Dread(dataset, in_memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, buffer);
        });
        if (!is_whole && (has_other_filters(properties) || H5Tget_class(type) == H5T_STRING)) {
            read_pieces(dataset, type, space);
        }
    }

    /// The library does not look whether a chunk has the bytes of its elements, and reads what lies behind it.
    void require_whole_chunk(hid_t dataset, hid_t properties, hid_t type, hid_t space, const std::string& name) const {
        std::array<hsize_t, H5S_MAX_RANK> extents{};
        const int rank = H5Pget_chunk(properties, H5S_MAX_RANK, extents.data());
        const H5Handle creation(H5Fget_create_plist(file_), H5Pclose);
        std::size_t address_bytes = 0, length_bytes = 0;
        H5Pget_sizes(creation, &address_bytes, &length_bytes);
        hsize_t stored = 0;
        if (rank < 1 || H5Pget_nfilters(properties) != 0 ||
            address_bytes < sizeof(haddr_t) ||  // lists are shorter then
            H5Dget_chunk_info(dataset, space, 0, nullptr, nullptr, nullptr, &stored) < 0) {
            return;
        }
        hsize_t expected = H5Tget_size(type);
        for (int axis = 0; axis < rank; ++axis) {
            if (__builtin_mul_overflow(expected, extents[static_cast<std::size_t>(axis)], &expected)) {
                expected = std::numeric_limits<hsize_t>::max();
            }
        }
        if (stored < expected) {
            throw InputError(
                fmt::format("{}: a chunk of dataset {} has {} bytes, and its elements {}; the file is damaged", path_,
                            name, stored, expected));
        }
    }

    /// Reads all elements if they are few. @return whether they are, or are nobody's to read
    template <class Read>
    static bool read_all(hid_t type, hid_t space, const Read& read) {
        const H5Info info = h5_describe(type, space);
        const hssize_t count = H5Sget_simple_extent_npoints(space);
        if (count <= 0 || is_read_elsewhere(type, info.kind)) {
            return true;
        }
        const hsize_t bytes = std::max<hsize_t>(H5Tget_size(type), sizeof(cdouble));
        if (bytes > most_small_bytes || static_cast<hsize_t>(count) > most_small_bytes / bytes) {
            return false;
        }
        const H5Handle in_memory = type_in_memory(type, info.kind);
        std::vector<char> buffer(static_cast<std::size_t>(count) * bytes);
        if (read(in_memory, buffer.data()) >= 0 && H5Tdetect_class(type, H5T_STRING) > 0) {
            H5Dvlen_reclaim(in_memory, space, H5P_DEFAULT, buffer.data());
        }
        return true;
    }

    /// Reads a large dataset, some rows along its slowest axis at a time.
    static void read_pieces(hid_t dataset, hid_t type, hid_t space) {
        const int rank = H5Sget_simple_extent_ndims(space);
        if (rank < 1) {
            return;
        }
        std::vector<hsize_t> extents(static_cast<std::size_t>(rank)), start(extents.size(), 0);
        H5Sget_simple_extent_dims(space, extents.data(), nullptr);
        const H5Info info = h5_describe(type, space);
        const H5Handle in_memory = type_in_memory(type, info.kind);
        hsize_t row_bytes = std::max<hsize_t>(H5Tget_size(type), sizeof(cdouble));
        for (std::size_t axis = 1; axis < extents.size(); ++axis) {
            if (__builtin_mul_overflow(row_bytes, extents[axis], &row_bytes)) {
                return;  // a reader will be refused the memory
            }
        }
        const hsize_t rows = std::clamp<hsize_t>(most_piece_bytes / std::max<hsize_t>(row_bytes, 1), 1, extents[0]);
        std::vector<char> buffer(rows * row_bytes);
        std::vector<hsize_t> block = extents;
        for (start[0] = 0; start[0] < extents[0]; start[0] += rows) {
            block[0] = std::min(rows, extents[0] - start[0]);
            H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, block.data(), nullptr);
            const H5Handle piece(H5Screate_simple(rank, block.data(), nullptr), H5Sclose);
            if (H5Dread(dataset, in_memory, piece, space, H5P_DEFAULT, buffer.data()) < 0) {
                return;
            }
            if (H5Tdetect_class(type, H5T_STRING) > 0) {
                H5Dvlen_reclaim(in_memory, piece, H5P_DEFAULT, buffer.data());
            }
        }
    }

    const std::string& path_;
    hid_t file_;
    std::set<haddr_t> seen_;
    std::vector<haddr_t> above_;  ///< the groups that lead here
    std::size_t object_count_ = 0;
};

}  // namespace

void walk_hdf5(const std::string& path, const std::string& opened_as) {
    silence_hdf5();
    const H5Handle file = h5_open_file(opened_as);
    if (file >= 0) {
        Hdf5Walk(path, file).go();
    }
}

}  // namespace recon
