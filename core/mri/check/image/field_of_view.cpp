#include "core/mri/check/image/field_of_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/ordered_sum.hpp"
#include "core/fourier/whole_cycles.hpp"

namespace recon {
namespace {

constexpr double much = 0.5;        ///< energy of the border, in units of the image's mean
constexpr Index fewest_voxels = 8;  ///< an axis of less has little but borders

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
                     "than noise makes it; room around the field (`margin`) leaves less of that",
                     frame, axes),
         ""}};
}

}  // namespace recon
