#include "core/mri/echo_centre.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/fourier/voxel_grid.hpp"

namespace recon {
namespace {

constexpr Index furthest = 48;
constexpr Index reach = 2;
constexpr double least_move = 3;
constexpr double clearly_more = 1.5;

/// Whole cycles per FOV from -half to half along each axis.
struct Cells {
    PerAxis<Index> half{};

    Index extent(int axis) const { return 2 * half[axis] + 1; }
    Index count() const { return extent(0) * extent(1) * extent(2); }
    Index at(const PerAxis<Index>& k) const {
        return ((k[2] + half[2]) * extent(1) + k[1] + half[1]) * extent(0) + k[0] + half[0];
    }
    PerAxis<Index> position(Index cell) const {
        return {cell % extent(0) - half[0], cell / extent(0) % extent(1) - half[1],
                cell / extent(0) / extent(1) - half[2]};
    }
};

/// Sums over the cells up to `reach` away along one axis.
void add_neighbours(const Cells& cells, int axis, std::vector<double>& values) {
    std::vector<double> sums(values.size(), 0.0);
    for (Index cell = 0; cell < cells.count(); ++cell) {
        PerAxis<Index> k = cells.position(cell);
        const Index first = std::max(-cells.half[axis], k[axis] - reach);
        const Index last = std::min(cells.half[axis], k[axis] + reach);
        for (k[axis] = first; k[axis] <= last; ++k[axis]) {
            sums[cell] += values[cells.at(k)];
        }
    }
    values = std::move(sums);
}

/// First and last of the whole cycles per FOV that the trajectory reaches along each axis.
struct Band {
    PerAxis<Index> first{};
    PerAxis<Index> last{};

    explicit Band(const Trajectory& trajectory) {
        for (int axis = 0; axis < 3; ++axis) {
            const auto [least, greatest] = std::minmax_element(trajectory.k[axis].begin(), trajectory.k[axis].end());
            first[axis] = least == trajectory.k[axis].end() ? 0 : std::lround(*least);
            last[axis] = least == trajectory.k[axis].end() ? 0 : std::lround(*greatest);
        }
    }

    /// Which part of the cells up to `reach` away it reaches. Beyond it k-space counts as empty: or else of few planes
    /// the outermost would have the greatest mean, as that leaves out most of the others.
    double part_around(const PerAxis<Index>& k) const {
        double part = 1;
        for (int axis = 0; axis < 3; ++axis) {
            const Index from = std::max(first[axis], k[axis] - reach);
            const Index to = std::min(last[axis], k[axis] + reach);
            part *= static_cast<double>(std::max<Index>(to - from + 1, 0)) / static_cast<double>(2 * reach + 1);
        }
        return part;
    }
};

}  // namespace

PerAxis<double> echo_centre(const Trajectory& trajectory, const AllCoils& kspace, const PerAxis<Index>& matrix_size) {
    Cells cells;
    for (int axis = 0; axis < 3; ++axis) {
        cells.half[axis] = matrix_size[axis] > 1 ? std::min(matrix_size[axis] / 2, furthest) : 0;
    }
    std::vector<double> energy(cells.count(), 0.0);
    std::vector<double> samples(cells.count(), 0.0);
    const Index sample_count = trajectory.sample_count();
    const Share& here = kspace.here();
    for (Index m = 0; m < sample_count; ++m) {
        PerAxis<Index> k{0, 0, 0};
        bool is_inside = true;
        for (int axis = 0; axis < 3; ++axis) {
            k[axis] = cells.half[axis] > 0 ? std::lround(trajectory.k[axis][m]) : 0;
            is_inside = is_inside && std::abs(k[axis]) <= cells.half[axis];
        }
        if (is_inside) {
            const Index cell = cells.at(k);
            samples[cell] += 1;
            for (Index coil = here.first; coil < here.first + here.count; ++coil) {
                energy[cell] += std::norm(cdouble(kspace.coil(coil)[static_cast<std::size_t>(m)]));
            }
        }
    }
    kspace.sum(energy);
    for (int axis = 0; axis < 3; ++axis) {
        add_neighbours(cells, axis, energy);
        add_neighbours(cells, axis, samples);
    }
    const Band band(trajectory);
    for (Index cell = 0; cell < cells.count(); ++cell) {
        energy[cell] *= band.part_around(cells.position(cell)) / std::max(samples[cell], 1.0);
    }
    const auto greatest = std::max_element(energy.begin(), energy.end());
    const PerAxis<Index> k = cells.position(greatest - energy.begin());
    const PerAxis<double> centre{static_cast<double>(k[0]), static_cast<double>(k[1]), static_cast<double>(k[2])};
    const bool moved = std::hypot(centre[0], centre[1], centre[2]) >= least_move &&
                       *greatest > clearly_more * energy[cells.at({0, 0, 0})];
    return moved ? centre : PerAxis<double>{0, 0, 0};
}

std::shared_ptr<const Trajectory> relative_to(const PerAxis<double>& centre,
                                              const std::shared_ptr<const Trajectory>& trajectory) {
    if (centre == PerAxis<double>{0, 0, 0}) {
        return trajectory;
    }
    Trajectory moved = *trajectory;
    for (int axis = 0; axis < 3; ++axis) {
        for (double& k : moved.k[axis]) {
            k -= centre[axis];
        }
    }
    return std::make_shared<const Trajectory>(std::move(moved));
}

std::vector<cfloat> relative_to(const PerAxis<double>& centre, std::vector<cfloat> image,
                                const PerAxis<Index>& matrix_size) {
    const VoxelGrid grid = VoxelGrid::image(matrix_size);
    auto voxel = image.begin();
    for (Index z = 0; z < matrix_size[2]; ++z) {
        for (Index y = 0; y < matrix_size[1]; ++y) {
            for (Index x = 0; x < matrix_size[0]; ++x, ++voxel) {
                const double turns =
                    centre[0] * grid.position(0, x) + centre[1] * grid.position(1, y) + centre[2] * grid.position(2, z);
                *voxel *= cfloat(std::polar(1.0, -2 * pi * turns));
            }
        }
    }
    return image;
}

}  // namespace recon
