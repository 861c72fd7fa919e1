#include "app/cli/reference/comparable_images.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "core/mri/grids/resample.hpp"
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

/// Frames of a scan as slices without values, as an image has them.
Image blank_slices(const Scan& scan) {
    Image slices;
    slices.geometry = scan.geometry;
    slices.frames.clear();
    for (const Frame& frame : scan.frames) {
        slices.frames.push_back({frame.label, frame.orientation});
    }
    slices.voxels.resize(static_cast<std::size_t>(slices.voxel_count() * slices.frame_count()));
    return slices;
}

/// Which slice of a stack a frame is.
Index place_in_stack(const Geometry& stack, const Orientation& frame) {
    const Orientation& middle = *stack.orientation;
    double distance_mm = 0;
    for (std::size_t i = 0; i < 3; ++i) {
        distance_mm += (frame.centre_mm[i] - middle.centre_mm[i]) * middle.z_direction[i];
    }
    return stack.matrix_size[2] / 2 + static_cast<Index>(std::llround(distance_mm / stack.voxel_size_mm()[2]));
}

/// @param volumes  of `stack`, one, or one for each combination of labels but the slice, in their order
Image cut_into(Image slices, const Geometry& stack, const Image& volumes) {
    std::map<FrameLabel, Index> known;  // in the order of labels
    const auto without_slice = [](FrameLabel label) {
        label.slice = 0;
        return label;
    };
    for (const ImageFrame& frame : slices.frames) {
        known.emplace(without_slice(frame.label), 0);
    }
    Index next = 0;
    for (auto& [label, number] : known) {
        number = volumes.frame_count() == 1 ? 0 : next++;
    }
    const Index of_slice = slices.voxel_count();
    for (Index i = 0; i < slices.frame_count(); ++i) {
        const ImageFrame& frame = slices.frames[static_cast<std::size_t>(i)];
        const Index slice = place_in_stack(stack, *slices.orientation(i));
        const auto from = volumes.frame(known.at(without_slice(frame.label))).begin() + slice * of_slice;
        std::copy_n(from, of_slice, slices.voxels.begin() + i * of_slice);
    }
    return slices;
}

}  // namespace

std::string arrange_as(const Scan& scan, Image& reference, const std::string& path) {
    const bool of_scan = scan.geometry.matrix_size[2] == 1;
    if (of_scan == (reference.geometry.matrix_size[2] == 1)) {
        return "";
    }
    std::optional<Image> stacked = stack_slices(of_scan ? blank_slices(scan) : reference);
    if (!stacked) {
        return "";
    }
    if (!of_scan) {
        reference = *std::move(stacked);
        return "the slices of the reference are compared as the volume that they form";
    }
    align_reference(reference, stacked->geometry, path);
    const bool fits = reference.geometry.matrix_size == stacked->geometry.matrix_size &&
                      (reference.frame_count() == 1 || reference.frame_count() == stacked->frame_count());
    if (!fits) {
        return "";
    }
    reference = cut_into(blank_slices(scan), stacked->geometry, reference);
    return "the slices of the reference are compared one by one, by position";
}

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
