#include "app/reconstruction/margin/room.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "app/reconstruction/frames/frame_series.hpp"
#include "app/reconstruction/margin/object_reach.hpp"
#include "core/base/error.hpp"
#include "core/base/log.hpp"
#include "core/base/shape.hpp"
#include "core/fourier/gridding_kernel.hpp"

namespace recon {
namespace {

constexpr Index most_slices = 5;       ///< that are looked at
constexpr double most_of_field = 0.5;  ///< on each side: more is not looked at (object_reach)
constexpr double as_good = 0.15;       ///< of the resolution: so near to the border counts as beyond it
constexpr Index to_spare = 2;          ///< voxels beyond the object

/// The first frame, or of several slices the first frame of some, spread over all.
std::vector<std::size_t> frames_to_look_at(const Scan& scan) {
    std::vector<std::size_t> of_slices;
    std::set<Index> seen;
    for (std::size_t i = 0; i < scan.frames.size(); ++i) {
        if (seen.insert(scan.frames[i].label.slice).second) {
            of_slices.push_back(i);
        }
    }
    const Index count = std::min(most_slices, std::ssize(of_slices));
    std::vector<std::size_t> chosen;
    for (Index i = 0; i < count; ++i) {
        chosen.push_back(of_slices[count == 1 ? 0 : i * (std::ssize(of_slices) - 1) / (count - 1)]);
    }
    return chosen;
}

/// Voxels on one side. @param reach  of the object along an axis of `extent` voxels
Index voxels_beyond(const ObjectReach& reach, Index extent) {
    const auto voxels = static_cast<double>(extent);
    const double beyond = (reach.fields - 0.5) * voxels, error = as_good * reach.resolution * voxels;
    if (!(beyond > reach.doubt * voxels - error)) {
        return 0;
    }
    const auto most = static_cast<Index>(most_of_field * voxels);
    Index margin = std::min(most, static_cast<Index>(std::ceil(std::max(0.0, beyond) + error)) + to_spare);
    while (margin < most && next_fft_size(extent + 2 * margin) != extent + 2 * margin) {
        ++margin;
    }
    return margin;
}

/// There is none along an axis of one voxel.
Margin of_present_axes(Margin margin, const PerAxis<Index>& matrix_size) {
    for (int axis = 0; axis < 3; ++axis) {
        margin[axis] = matrix_size[axis] > 1 ? margin[axis] : 0;
    }
    return margin;
}

/// @throws DeviceError if there is too little memory to look
Margin needed(Scan& scan, Backend& backend) {
    Margin margin{};
    for (const std::size_t i : frames_to_look_at(scan)) {
        Frame& frame = scan.frames[i];
        const bool was_loaded = !frame.kspace.empty();
        frame.load();
        const PerAxis<ObjectReach> reach = object_reach(scan, frame, backend);
        if (!was_loaded) {
            frame.release();
        }
        for (int axis = 0; axis < 3; ++axis) {
            margin[axis] = std::max(margin[axis], voxels_beyond(reach[axis], scan.geometry.matrix_size[axis]));
        }
    }
    return margin;
}

Margin needed_if_seen(Scan& scan, Backend& backend) {
    try {
        return needed(scan, backend);
    } catch (const DeviceError& error) {
        log_info("margin: not looked for: {}", error.what());
        return {};
    }
}

}  // namespace

Margin make_room(Scan& scan, const MarginOptions& options, Backend& backend) {
    const Margin margin = options.given       ? of_present_axes(*options.given, scan.geometry.matrix_size)
                          : options.automatic ? needed_if_seen(scan, backend)
                                              : Margin{};
    if (is_empty(margin)) {
        return margin;
    }
    const Shape field = Shape::image(scan.geometry.matrix_size);
    widen(scan, margin);
    const std::string room = fmt::format("{} are computed, and {} of them written",
                                         Shape::image(scan.geometry.matrix_size).text(), field.text());
    if (options.given) {
        log_info("margin: {}", room);
    } else {
        log_info("margin: the object, or an alias of it, goes on beyond the field of view; {} (`margin` 0: without)",
                 room);
    }
    return margin;
}

}  // namespace recon
