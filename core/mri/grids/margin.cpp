#include "core/mri/grids/margin.hpp"

#include <algorithm>
#include <memory>

#include "core/base/shape.hpp"

namespace recon {
namespace {

/// Volumes [x y z, anything] on another matrix, its voxel i the one at clamp(i + first). Several are copied at once.
template <class T>
std::vector<T> shifted(std::span<const T> volumes, const PerAxis<Index>& from, const PerAxis<Index>& to,
                       const PerAxis<Index>& first) {
    const Index from_count = Shape::image(from).element_count(), to_count = Shape::image(to).element_count();
    const Index volume_count = std::ssize(volumes) / from_count;
    std::vector<T> result(static_cast<std::size_t>(volume_count * to_count));
    const auto at = [&](int axis, Index i) { return std::clamp<Index>(i + first[axis], 0, from[axis] - 1); };
#pragma omp parallel for collapse(2) schedule(static)
    for (Index volume = 0; volume < volume_count; ++volume) {
        for (Index row = 0; row < to[1] * to[2]; ++row) {
            const Index y = at(1, row % to[1]), z = at(2, row / to[1]);
            const auto source = volumes.begin() + volume * from_count + (z * from[1] + y) * from[0];
            const auto target = result.begin() + volume * to_count + row * to[0];
            for (Index x = 0; x < to[0]; ++x) {
                target[x] = source[at(0, x)];
            }
        }
    }
    return result;
}

template <class T>
std::vector<T> continued(std::span<const T> maps, const PerAxis<Index>& matrix_size, const Margin& margin) {
    return shifted(maps, matrix_size, with_margin(matrix_size, margin), {-margin[0], -margin[1], -margin[2]});
}

std::shared_ptr<const Trajectory> in_cycles_of_wider_field(const Trajectory& trajectory,
                                                           const PerAxis<double>& factor) {
    auto wide = std::make_shared<Trajectory>(trajectory);
    for (int axis = 0; axis < 3; ++axis) {
        std::vector<double>& k = wide->k[axis];
#pragma omp parallel for schedule(static)
        for (std::size_t m = 0; m < k.size(); ++m) {
            k[m] *= factor[axis];
        }
    }
    return wide;
}

}  // namespace

bool is_empty(const Margin& margin) { return margin == Margin{0, 0, 0}; }

PerAxis<Index> with_margin(PerAxis<Index> matrix_size, const Margin& margin) {
    for (int axis = 0; axis < 3; ++axis) {
        matrix_size[axis] += 2 * margin[axis];
    }
    return matrix_size;
}

void widen(Scan& scan, const Margin& margin) {
    const PerAxis<Index> matrix_size = scan.geometry.matrix_size;
    scan.geometry.matrix_size = with_margin(matrix_size, margin);
    PerAxis<double> factor{};
    for (int axis = 0; axis < 3; ++axis) {
        factor[axis] = static_cast<double>(scan.geometry.matrix_size[axis]) / static_cast<double>(matrix_size[axis]);
        scan.geometry.field_of_view_mm[axis] *= factor[axis];
    }
    std::map<const Trajectory*, std::shared_ptr<const Trajectory>> wide;  // frames share them
    for (std::vector<Frame>* const frames : {&scan.frames, &scan.calibration}) {
        for (Frame& frame : *frames) {
            std::shared_ptr<const Trajectory>& found = wide[frame.trajectory.get()];
            if (!found) {
                found = in_cycles_of_wider_field(*frame.trajectory, factor);
            }
            frame.trajectory = found;
        }
    }
    const auto go_on = [&](auto& maps) { maps = continued(std::span(std::as_const(maps)), matrix_size, margin); };
    go_on(scan.coil_maps);
    go_on(scan.off_resonance_hz);
    go_on(scan.relaxation_rate_per_s);
    if (scan.read_coil_maps) {
        scan.read_coil_maps = [read = std::move(scan.read_coil_maps), matrix_size, margin](const Share& coils) {
            return continued(std::span<const cfloat>(read(coils)), matrix_size, margin);
        };
    }
}

template <class T>
std::vector<T> without_margin(std::span<const T> wide, const PerAxis<Index>& matrix_size, const Margin& margin) {
    return shifted(wide, with_margin(matrix_size, margin), matrix_size, margin);
}

template std::vector<float> without_margin(std::span<const float>, const PerAxis<Index>&, const Margin&);
template std::vector<cfloat> without_margin(std::span<const cfloat>, const PerAxis<Index>&, const Margin&);

void remove_margin(NamedArray& array, const PerAxis<Index>& matrix_size, const Margin& margin) {
    const PerAxis<Index> wide = with_margin(matrix_size, margin);
    const auto count = array.extents.size();
    for (std::size_t axis = 0; axis < 3; ++axis) {
        if (count < 3 || array.axes[count - 1 - axis] != std::string(1, "xyz"[axis]) ||
            array.extents[count - 1 - axis] != wide[axis]) {
            return;
        }
    }
    std::copy(matrix_size.rbegin(), matrix_size.rend(), array.extents.end() - 3);
    std::visit([&](auto& values) { values = shifted(std::span(std::as_const(values)), wide, matrix_size, margin); },
               array.values);
}

}  // namespace recon
