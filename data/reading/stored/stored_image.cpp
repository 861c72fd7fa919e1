#include "data/reading/stored/stored_image.hpp"

#include <fmt/format.h>

#include "core/base/error.hpp"

namespace recon {

Image image_of_extents(std::vector<Index> extents) {
    Image image;
    for (std::size_t axis = 0; axis < 3 && !extents.empty(); ++axis) {
        image.geometry.matrix_size[axis] = extents.back();
        extents.pop_back();
    }
    Index frame_count = 1;
    for (const Index extent : extents) {
        frame_count *= extent;
    }
    image.frames.assign(static_cast<std::size_t>(frame_count), ImageFrame{});
    for (Index frame = 0; frame < frame_count; ++frame) {
        image.frames[static_cast<std::size_t>(frame)].label.repetition = frame;
    }
    return image;
}

void require_no_dataset(const std::string& path, const std::string& dataset, const std::string& title) {
    if (!dataset.empty()) {
        throw InputError(fmt::format("{}: {} has no dataset {}", path, title, dataset));
    }
}

}  // namespace recon
