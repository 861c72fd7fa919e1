#include "data/reading/image_reader.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/base/error.hpp"
#include "data/files/numeric_datasets.hpp"

namespace recon {
namespace {

std::string find_image(const H5File& file, const std::string& asked) {
    if (!asked.empty()) {
        std::string path = asked.starts_with('/') ? asked : "/" + asked;
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
    if (asked.empty() && (file.has_dataset("/kspace") || file.has_dataset("/dataset/data"))) {
        throw InputError(
            fmt::format("{0}: holds a scan (k-space) and no image; expected an image, such as recon {0} "
                        "makes of it",
                        file.path()));
    }
    std::vector<std::string> arrays = numeric_datasets(file);
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
    throw InputError(fmt::format("{0}: {1}; name one of {2}{3} as {0}:{4}", file.path(), missing,
                                 fmt::join(arrays, ", "), more ? ", ..." : "", arrays.front()));
}

}  // namespace

StoredImage read_image(const std::string& path, const std::string& asked) {
    const H5File file = H5File::open(path);
    const std::string dataset = find_image(file, asked);
    const H5Info info = file.dataset_info(dataset);
    if (!is_numeric(info)) {
        throw InputError(fmt::format("{}: {} is {}, expected numbers", path, dataset, info.text()));
    }
    file.require_plausible_size(dataset);
    Image image = image_of_extents(info.extents);
    image.voxels = file.read<cfloat>(dataset);
    if (file.has_attribute(dataset, "field_of_view_mm")) {
        const auto field_of_view = file.read_attribute<double>(dataset, "field_of_view_mm");
        if (field_of_view.size() == 3) {
            std::copy(field_of_view.begin(), field_of_view.end(), image.geometry.field_of_view_mm.begin());
        }
    }
    return {dataset, std::move(image), info.kind != H5Kind::complex};
}

}  // namespace recon
