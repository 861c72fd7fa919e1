#include "core/mri/check/field_of_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/ordered_sum.hpp"

namespace recon {
namespace {

constexpr double much = 0.5;          ///< energy of the border, in units of the image's mean
constexpr Index fewest_voxels = 8;    ///< an axis of less has little but borders
constexpr Index looked_at = 4096;     ///< samples
constexpr double whole = 0.05;        ///< cycles from a whole number that are taken for one
constexpr double some_samples = 0.1;  ///< a part of those looked at

/// Mean of |rho|^2 of the first and last voxels along an axis.
double energy_of_border(std::span<const cfloat> image, const PerAxis<Index>& n, int axis) {
    PerAxis<Index> extent = n;
    extent[axis] = 2;
    const Index count = extent[0] * extent[1] * extent[2];
    const double sum = ordered_sum(count, [&](Index i) {
        PerAxis<Index> at{i % extent[0], i / extent[0] % extent[1], i / (extent[0] * extent[1])};
        at[axis] *= n[axis] - 1;
        return std::norm(cdouble(image[static_cast<std::size_t>((at[2] * n[1] + at[1]) * n[0] + at[0])]));
    });
    return sum / static_cast<double>(count);
}

}  // namespace

bool lies_off_whole_cycles(const std::vector<double>& k) {
    const auto count = static_cast<Index>(k.size());
    const Index step = std::max<Index>(1, count / looked_at) | 1;
    Index looked = 0, off = 0;
    for (Index m = 0; m < count; m += step, ++looked) {
        const double cycles = k[static_cast<std::size_t>(m)];
        off += std::abs(cycles - std::round(cycles)) > whole;
    }
    return static_cast<double>(off) > some_samples * static_cast<double>(looked);
}

std::vector<CheckFinding> judge_border(std::span<const cfloat> image, const PerAxis<Index>& matrix_size,
                                       const Trajectory& trajectory, const std::string& frame) {
    const auto count = static_cast<Index>(image.size());
    if (count == 0) {
        return {};
    }
    const double mean =
        ordered_sum(count, [&](Index i) { return std::norm(cdouble(image[static_cast<std::size_t>(i)])); }) /
        static_cast<double>(count);
    std::string axes;
    for (int axis = 0; axis < 3; ++axis) {
        if (matrix_size[axis] >= fewest_voxels && lies_off_whole_cycles(trajectory.k[axis]) &&
            energy_of_border(image, matrix_size, axis) > much * mean) {
            axes += axes.empty() ? "" : ", ";
            axes += "xyz"[axis];
        }
    }
    if (axes.empty()) {
        return {};
    }
    return {
        {"field_of_view",
         fmt::format("the object{} reaches the border of the field of view along {}: the image is wrong there by more "
                     "than noise makes it; a larger field (`fov`, with `matrix` in proportion) leaves less of that",
                     frame, axes),
         ""}};
}

}  // namespace recon
