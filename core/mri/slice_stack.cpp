#include "core/mri/slice_stack.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace recon {

namespace {

constexpr double direction_tolerance = 1e-4;  // of unit vectors: direction cosines stored with four digits
constexpr double spacing_tolerance = 0.01;    // of the slice distance

double distance(const PerAxis<double>& a, const PerAxis<double>& b) {
    return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

bool parallel(const Orientation& a, const Orientation& b) {
    return distance(a.x_direction, b.x_direction) < direction_tolerance &&
           distance(a.y_direction, b.y_direction) < direction_tolerance &&
           distance(a.z_direction, b.z_direction) < direction_tolerance;
}

double along_normal(const Orientation& slice) {
    double position = 0;
    for (int axis = 0; axis < 3; ++axis) {
        position += slice.centre_mm[axis] * slice.z_direction[axis];
    }
    return position;
}

struct Volume {
    FrameLabel label;
    std::vector<Index> frames;  ///< in the order of position along z
};

/// Frames grouped by everything but the slice; empty if a frame has no position.
std::vector<Volume> group_into_volumes(const Image& image) {
    std::map<FrameLabel, std::vector<Index>> groups;
    for (Index frame = 0; frame < image.frame_count(); ++frame) {
        if (!image.orientation(frame)) {
            return {};
        }
        FrameLabel label = image.frames[frame].label;
        label.slice = 0;
        groups[label].push_back(frame);
    }
    std::vector<Volume> volumes;
    for (auto& [label, frames] : groups) {
        std::stable_sort(frames.begin(), frames.end(), [&](Index a, Index b) {
            return along_normal(*image.orientation(a)) < along_normal(*image.orientation(b));
        });
        volumes.push_back({label, frames});
    }
    return volumes;
}

/// Distance of neighbouring slices if all volumes are the same straight, even stack; 0 otherwise.
double common_spacing(const Image& image, const std::vector<Volume>& volumes) {
    const auto& first = volumes.front().frames;
    const Orientation& bottom = *image.orientation(first.front());
    const Orientation& top = *image.orientation(first.back());
    const auto slice_count = static_cast<double>(first.size());
    const double spacing = (along_normal(top) - along_normal(bottom)) / (slice_count - 1);
    if (!(spacing > 0)) {
        return 0;
    }
    for (const Volume& volume : volumes) {
        if (volume.frames.size() != first.size()) {
            return 0;
        }
        for (std::size_t slice = 0; slice < volume.frames.size(); ++slice) {
            const Orientation& found = *image.orientation(volume.frames[slice]);
            PerAxis<double> expected = bottom.centre_mm;
            for (int axis = 0; axis < 3; ++axis) {
                expected[axis] += static_cast<double>(slice) * spacing * bottom.z_direction[axis];
            }
            if (!parallel(found, bottom) || distance(found.centre_mm, expected) > spacing_tolerance * spacing) {
                return 0;
            }
        }
    }
    return spacing;
}

}  // namespace

std::optional<Image> stack_slices(const Image& image) {
    image.require_consistent();
    if (image.geometry.matrix_size[2] != 1) {
        return std::nullopt;
    }
    const std::vector<Volume> volumes = group_into_volumes(image);
    if (volumes.empty() || volumes.front().frames.size() < 2) {
        return std::nullopt;
    }
    const double spacing = common_spacing(image, volumes);
    if (spacing == 0) {
        return std::nullopt;
    }

    const auto slice_count = static_cast<Index>(volumes.front().frames.size());
    Image stacked;
    stacked.geometry = image.geometry;
    stacked.study = image.study;
    stacked.geometry.matrix_size[2] = slice_count;
    stacked.geometry.field_of_view_mm[2] = spacing * static_cast<double>(slice_count);
    stacked.geometry.orientation = image.orientation(volumes.front().frames[slice_count / 2]);
    stacked.frames.clear();
    stacked.voxels.reserve(image.voxels.size());
    for (const Volume& volume : volumes) {
        stacked.frames.push_back({volume.label, std::nullopt});
        for (const Index frame : volume.frames) {
            const auto slice = image.frame(frame);
            stacked.voxels.insert(stacked.voxels.end(), slice.begin(), slice.end());
        }
    }
    return stacked;
}

}  // namespace recon
