#include "core/mri/image.hpp"

#include <fmt/format.h>

#include "core/base/error.hpp"
#include "core/base/shape.hpp"

namespace recon {

Index Image::voxel_count() const { return Shape::image(geometry.matrix_size).element_count(); }

std::span<const cfloat> Image::frame(Index index) const {
    require_consistent();
    if (index < 0 || index >= frame_count()) {
        throw ShapeError(fmt::format("image: frame {} of {} asked for", index, frame_count()));
    }
    return std::span(voxels).subspan(index * voxel_count(), voxel_count());
}

const std::optional<Orientation>& Image::orientation(Index index) const {
    const auto& own = frames.at(index).orientation;
    return own ? own : geometry.orientation;
}

void Image::require_consistent() const {
    const Index expected = voxel_count() * frame_count();
    if (frames.empty() || static_cast<Index>(voxels.size()) != expected) {
        throw ShapeError(fmt::format("image: {} voxels for {} frames of {}, expected {}", voxels.size(), frame_count(),
                                     Shape::image(geometry.matrix_size).text(), expected));
    }
}

}  // namespace recon
