#include "app/cli/reference/comparable_images.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "core/mri/resample.hpp"
#include "core/mri/slice_stack.hpp"

namespace recon {
namespace {

bool is_placed(const Geometry& geometry) {
    return geometry.orientation && is_usable(*geometry.orientation) &&
           std::ranges::all_of(geometry.field_of_view_mm, [](double length) { return length > 0; });
}

bool is_magnitude(const StoredImage& stored) {
    return stored.is_real &&
           std::ranges::all_of(stored.image.voxels, [](const cfloat& value) { return value.real() >= 0; });
}

void take_magnitudes(Image& image) {
    for (cfloat& voxel : image.voxels) {
        voxel = std::abs(voxel);
    }
}

}  // namespace

std::string stack_alike(Image& image, Image& reference) {
    const bool of_image = image.geometry.matrix_size[2] == 1;
    if (of_image == (reference.geometry.matrix_size[2] == 1)) {
        return "";
    }
    Image& slices = of_image ? image : reference;
    std::optional<Image> stacked = stack_slices(slices);
    if (!stacked) {
        return "";
    }
    slices = std::move(*stacked);
    return fmt::format("the slices of the {} are compared as the volume that they form",
                       of_image ? "image" : "reference");
}

std::string align_reference(Image& reference, const Geometry& image, const std::string& path) {
    PerAxis<Index> own = reference.geometry.matrix_size, other = image.matrix_size;
    std::ranges::sort(own);
    std::ranges::sort(other);
    if (!is_placed(reference.geometry) || !is_placed(image) || own != other) {
        return "";
    }
    const GridPlacement placement = GridPlacement::of(reference.geometry, image, path);
    if (placement.is_identity()) {
        return "";
    }
    Image aligned = reference;
    aligned.geometry = image;
    aligned.voxels.clear();
    for (Index frame = 0; frame < reference.frame_count(); ++frame) {
        const Resampled<cfloat> resampled = resample(reference.frame(frame), reference.geometry, image, path);
        constexpr double mostly = 0.5;
        if (resampled.outside_fraction > mostly) {
            return "the reference lies elsewhere: compared voxel by voxel, as if both were in one place";
        }
        aligned.voxels.insert(aligned.voxels.end(), resampled.voxels.begin(), resampled.voxels.end());
    }
    reference = std::move(aligned);
    return "the reference lies otherwise, and is compared by position: " + placement.text();
}

std::string share_magnitudes(StoredImage& image, StoredImage& reference) {
    const bool of_image = is_magnitude(image), of_reference = is_magnitude(reference);
    if (of_image == of_reference || (of_image ? reference : image).is_real) {
        return "";
    }
    take_magnitudes(image.image);
    take_magnitudes(reference.image);
    return fmt::format("magnitudes are compared, as the {} holds no phase", of_image ? "image" : "reference");
}

}  // namespace recon
