#include "data/image_reader.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/error.hpp"
#include "data/hdf5_file.hpp"

namespace recon {

namespace {

bool is_numeric(const H5Info& info) {
    return (info.kind == H5Kind::complex || info.kind == H5Kind::real || info.kind == H5Kind::integer) &&
           info.element_count() > 0;
}

/// Paths of all datasets of numbers below a group. Links that lead nowhere are passed over.
void collect_arrays(const H5File& file, const std::string& group, std::vector<std::string>& found) {
    constexpr std::size_t enough = 1000;  // groups may link to each other in circles
    for (const std::string& name : file.names_in(group.empty() ? "/" : group)) {
        const std::string path = group + "/" + name;
        if (found.size() >= enough || path.size() >= enough) {
            return;
        }
        if (file.has_dataset(path)) {
            if (is_numeric(file.dataset_info(path))) {
                found.push_back(path);
            }
        } else if (file.has_group(path)) {
            collect_arrays(file, path, found);
        }
    }
}

std::string find_image(const H5File& file, const std::string& asked) {
    if (!asked.empty()) {
        const std::string path = asked.starts_with('/') ? asked : "/" + asked;
        if (file.has_dataset(path)) {
            return path;
        }
    } else {
        for (const char* usual : {"/image", "/dataset/image"}) {
            if (file.has_dataset(usual)) {
                return usual;
            }
        }
    }
    std::vector<std::string> arrays;
    collect_arrays(file, "", arrays);
    if (asked.empty() && arrays.size() == 1) {
        return arrays.front();
    }
    const std::string missing = asked.empty() ? "no dataset /image" : "no dataset " + asked;
    if (arrays.empty()) {
        throw InputError(fmt::format("{}: {}, nor any other array of numbers", file.path(), missing));
    }
    constexpr std::size_t listed = 10;
    const bool more = arrays.size() > listed;
    arrays.resize(std::min(arrays.size(), listed));
    throw InputError(fmt::format("{}: {}; name one of {}{} with --dataset", file.path(), missing,
                                 fmt::join(arrays, ", "), more ? ", ..." : ""));
}

}  // namespace

StoredImage read_image(const std::string& path, const std::string& asked) {
    const H5File file = H5File::open(path);
    const std::string dataset = find_image(file, asked);
    const H5Info info = file.dataset_info(dataset);
    if (!is_numeric(info)) {
        throw InputError(fmt::format("{}: {} is {}, expected numbers", path, dataset, info.text()));
    }
    Image image;
    std::vector<Index> extents = info.extents;
    for (int axis = 0; axis < 3 && !extents.empty(); ++axis) {
        image.geometry.matrix_size[axis] = extents.back();
        extents.pop_back();
    }
    Index frame_count = 1;
    for (const Index extent : extents) {
        frame_count *= extent;
    }
    image.frames.assign(frame_count, ImageFrame{});
    for (Index frame = 0; frame < frame_count; ++frame) {
        image.frames[frame].label.repetition = frame;
    }
    image.voxels = file.read<cfloat>(dataset);
    if (file.has_attribute(dataset, "field_of_view_mm")) {
        const auto field_of_view = file.read_attribute<double>(dataset, "field_of_view_mm");
        if (field_of_view.size() == 3) {
            std::copy(field_of_view.begin(), field_of_view.end(), image.geometry.field_of_view_mm.begin());
        }
    }
    return {dataset, std::move(image)};
}

}  // namespace recon
