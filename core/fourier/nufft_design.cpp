#include "core/fourier/nufft_design.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/error.hpp"

namespace recon {
namespace {

constexpr double candidate_oversampling[] = {1.25, 1.375, 1.5, 1.75, 2.0, 2.5};

/// Part of the tolerance that the predicted error may use.
constexpr double usable_tolerance = 0.95;

/// Rounding of a transform relative to the unit roundoff times the amplification: measured over 1-D to 3-D.
constexpr double rounding_factor = 2.0;

int active_axis_count(const PerAxis<Index>& grid_size) {
    return static_cast<int>(std::ranges::count_if(grid_size, [](Index size) { return size > 1; }));
}

/// Mean of an even function of the position over the voxels of an axis: over half of them, or over some that crowd at
/// the edge, where aliasing and amplification are largest.
template <class Function>
double mean_over_axis(const VoxelGrid& grid, int axis, Index grid_size, Function&& function) {
    constexpr Index most_visited = 24;
    const Index half = (grid.shape.extent(axis) + 1) / 2;  // from the edge to the middle
    const Index count = std::min(half, most_visited);
    double sum = 0;
    double weight_sum = 0;
    for (Index i = 0; i < count; ++i) {
        const double s = (static_cast<double>(i) + 0.5) / static_cast<double>(count);
        const bool all = count == half;
        const auto voxel = all ? i : static_cast<Index>(s * s * static_cast<double>(half));
        const double weight = all ? 1 : s;
        sum += weight *
               function(static_cast<double>(grid.shape.extent(axis) / 2 - voxel) / static_cast<double>(grid_size));
        weight_sum += weight;
    }
    return sum / weight_sum;
}

/// Most of the error sits at the edges of the image, so that of an image with few voxels there scatters as a sum of few
/// squares: the mean square, and two standard deviations more.
double scatter_allowance(const VoxelGrid& grid, int axis) {
    const Index edge_voxels = 2 * grid.shape.element_count() / grid.shape.extent(axis);
    return 1 + 4 / std::sqrt(static_cast<double>(edge_voxels));
}

/// mean_over_axis for each axis of the grid with more than one point; equal axes are visited once.
template <class Function>
PerAxis<double> means_over_axes(const VoxelGrid& grid, const PerAxis<Index>& grid_size, Function&& function) {
    PerAxis<double> mean{};
    for (int axis = 0; axis < 3; ++axis) {
        const auto is_equal = [&](int other) {
            return grid_size[other] == grid_size[axis] && grid.shape.extent(other) == grid.shape.extent(axis);
        };
        if (axis > 0 && is_equal(axis - 1)) {
            mean[axis] = mean[axis - 1];
        } else if (axis > 1 && is_equal(axis - 2)) {
            mean[axis] = mean[axis - 2];
        } else if (grid_size[axis] > 1) {
            mean[axis] = mean_over_axis(grid, axis, grid_size[axis], function);
        }
    }
    return mean;
}

double aliasing_error(const GriddingKernel& kernel, const VoxelGrid& grid, const PerAxis<Index>& grid_size) {
    const PerAxis<double> mean =
        means_over_axes(grid, grid_size, [&](double x) { return std::pow(kernel.aliasing(x), 2); });
    double energy = 0;
    for (int axis = 0; axis < 3; ++axis) {
        energy += mean[axis] > 0 ? scatter_allowance(grid, axis) * mean[axis] : 0;
    }
    return std::sqrt(energy);
}

/// How much dividing by the kernel's transform amplifies errors that are spread evenly over the oversampled image.
double rounding_amplification(const GriddingKernel& kernel, const VoxelGrid& grid, const PerAxis<Index>& grid_size) {
    constexpr int position_count = 16;
    double band_energy = 0;
    for (int i = 0; i < position_count; ++i) {
        band_energy += std::pow(kernel.transform((i + 0.5) / (2 * position_count)), 2) / position_count;
    }
    const PerAxis<double> mean =
        means_over_axes(grid, grid_size, [&](double x) { return std::pow(kernel.transform(x), -2); });
    double energy = 1;
    for (int axis = 0; axis < 3; ++axis) {
        if (grid_size[axis] > 1) {
            energy *= scatter_allowance(grid, axis) * band_energy * mean[axis];
        }
    }
    return std::sqrt(energy);
}

double seconds_of_one_transform(const PerAxis<Index>& grid_size, int width, Index sample_count, Precision precision,
                                const CpuCosts& costs) {
    const double bytes = static_cast<double>(complex_bytes(precision));
    const int axis_count = active_axis_count(grid_size);
    const double row_count = std::pow(width, std::max(0, axis_count - 1));
    // A row begins anywhere within its first register.
    const double registers = row_count * (1 + width * bytes / 64);
    double grid_points = 1;
    for (const Index size : grid_size) {
        grid_points *= static_cast<double>(size);
    }
    const double per_sample = costs.sample_s + costs.register_s * registers;
    const double per_point = costs.grid_point_s * bytes / static_cast<double>(sizeof(cfloat));
    return (per_sample * static_cast<double>(sample_count) + per_point * grid_points) / omp_get_max_threads();
}

NufftDesign find_best(const VoxelGrid& grid, Index sample_count, double tolerance, Precision precision,
                      const CpuCosts& costs) {
    const double unit_roundoff = precision == Precision::single ? std::numeric_limits<float>::epsilon() / 2
                                                                : std::numeric_limits<double>::epsilon() / 2;
    std::optional<NufftDesign> best;
    double least_error = std::numeric_limits<double>::infinity();
    for (const double oversampling : candidate_oversampling) {
        NufftDesign design;
        double smallest_ratio = std::numeric_limits<double>::infinity();
        for (int axis = 0; axis < 3; ++axis) {
            const Index extent = grid.shape.extent(axis);
            const auto wanted = static_cast<Index>(std::ceil(oversampling * static_cast<double>(extent)));
            design.grid_size[axis] = extent == 1 ? 1 : next_fft_size(wanted);
            if (extent > 1) {
                smallest_ratio = std::min(smallest_ratio, static_cast<double>(design.grid_size[axis]) / extent);
            }
        }
        const double ratio = std::isinf(smallest_ratio) ? oversampling : smallest_ratio;
        // Aliasing falls by about exp(-pi sqrt(1 - 1/sigma)) a grid point of width [Barnett 2019]: begin below.
        const double decay = pi * std::sqrt(1 - 1 / ratio);
        const int begin = static_cast<int>(-std::log(tolerance) / decay) - 1;
        for (int width = std::clamp(begin, GriddingKernel::min_width, GriddingKernel::max_width);
             width <= GriddingKernel::max_width; ++width) {
            design.predicted_seconds =
                seconds_of_one_transform(design.grid_size, width, sample_count, precision, costs);
            if (best && design.predicted_seconds >= best->predicted_seconds) {
                break;  // a wider kernel takes longer
            }
            design.kernel = GriddingKernel::of_width(width, ratio);
            const double rounding =
                rounding_factor * unit_roundoff * rounding_amplification(design.kernel, grid, design.grid_size);
            design.predicted_error = std::hypot(aliasing_error(design.kernel, grid, design.grid_size), rounding);
            least_error = std::min(least_error, design.predicted_error);
            if (rounding > usable_tolerance * tolerance) {
                break;  // a wider kernel amplifies more
            }
            if (design.predicted_error <= usable_tolerance * tolerance) {
                best = design;
                break;
            }
        }
    }
    if (!best) {
        throw UsageError(
            fmt::format("NUFFT: tolerance {:.1e} cannot be met in {} precision, the least is about {:.1e}; "
                        "ask for a larger tolerance, {} or for exact sums",
                        tolerance, name_of(precision), least_error / usable_tolerance,
                        precision == Precision::single ? "for double precision," : ""));
    }
    return *best;
}

/// What a design depends on.
struct DesignSite {
    PerAxis<Index> matrix_size;
    Index sample_count;
    double tolerance;
    Precision precision;
    CpuCosts costs;
    int thread_count;

    bool operator==(const DesignSite&) const = default;
};

/// Designs of this process: a run asks for the same as its forecast, and each takes some milliseconds.
class FoundDesigns {
public:
    template <class Find>
    NufftDesign get(const DesignSite& site, Find&& find) {
        const std::lock_guard lock(mutex_);
        constexpr std::size_t most_kept = 64;
        const auto found = std::ranges::find(designs_, site, [](const auto& known) { return known.first; });
        if (found != designs_.end()) {
            return found->second;
        }
        if (designs_.size() == most_kept) {
            designs_.erase(designs_.begin());
        }
        return designs_.emplace_back(site, find()).second;
    }

private:
    std::mutex mutex_;
    std::vector<std::pair<DesignSite, NufftDesign>> designs_;
};

}  // namespace

NufftDesign NufftDesign::best(const VoxelGrid& grid, Index sample_count, double tolerance, Precision precision,
                              const CpuCosts& costs) {
    if (!(tolerance > 0)) {
        throw UsageError(fmt::format("NUFFT: tolerance {}, expected a positive number such as 1e-4", tolerance));
    }
    static FoundDesigns designs;
    return designs.get({grid.shape.matrix_size(), sample_count, tolerance, precision, costs, omp_get_max_threads()},
                       [&] { return find_best(grid, sample_count, tolerance, precision, costs); });
}

std::string NufftDesign::text() const {
    return fmt::format("grid {} x {} x {}, kernel width {}", grid_size[0], grid_size[1], grid_size[2], kernel.width);
}

double predicted_cpu_nufft_seconds(const NufftDesign& design, Index sample_count, Index transform_count,
                                   Precision precision) {
    const CpuCosts& costs = cpu_costs();
    return (costs.plan_s + costs.planned_sample_s * static_cast<double>(sample_count)) / omp_get_max_threads() +
           static_cast<double>(transform_count) *
               seconds_of_one_transform(design.grid_size, design.kernel.width, sample_count, precision, costs);
}

}  // namespace recon
