#include "core/mri/echo_centre.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
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
    /// That of a sample, if it lies in one.
    std::optional<Index> around(const Trajectory& trajectory, Index sample) const {
        PerAxis<Index> k{0, 0, 0};
        for (int axis = 0; axis < 3; ++axis) {
            k[axis] = half[axis] > 0 ? std::lround(trajectory.k[axis][sample]) : 0;
            if (std::abs(k[axis]) > half[axis]) {
                return std::nullopt;
            }
        }
        return at(k);
    }
};

/// Sums over the cells up to `reach` away along one axis.
void add_neighbours(const Cells& cells, int axis, std::vector<double>& values) {
    const Index extent = cells.extent(axis);
    Index stride = 1;  // from a cell to the next along the axis; cells below it lie side by side
    for (int before = 0; before < axis; ++before) {
        stride *= cells.extent(before);
    }
    std::vector<double> sums(values.size(), 0.0);
#pragma omp parallel for schedule(static)
    for (Index line = 0; line < cells.count() / stride; ++line) {
        const Index along = line % extent;
        double* const sum = sums.data() + line * stride;
        for (Index step = std::max(-reach, -along); step <= std::min(reach, extent - 1 - along); ++step) {
            const double* const neighbour = values.data() + (line + step) * stride;
            for (Index i = 0; i < stride; ++i) {
                sum[i] += neighbour[i];
            }
        }
    }
    values = std::move(sums);
}

/// What the samples of each cell hold: the energy of all coils, and how many there are.
struct CellSums {
    std::vector<double> energy, samples;

    /// Threads square, one adds: the same bytes for any number of them.
    CellSums(const Cells& cells, const Trajectory& trajectory, const AllCoils& kspace)
        : energy(cells.count(), 0.0), samples(cells.count(), 0.0) {
        constexpr Index at_once = 65536;
        const Share& here = kspace.here();
        const Index sample_count = trajectory.sample_count();
        std::vector<Index> cell_of(std::min(at_once, sample_count));
        std::vector<double> energy_of(cell_of.size());
        for (Index first = 0; first < sample_count; first += at_once) {
            const Index count = std::min(at_once, sample_count - first);
#pragma omp parallel for schedule(static)
            for (Index i = 0; i < count; ++i) {
                const std::optional<Index> cell = cells.around(trajectory, first + i);
                cell_of[i] = cell.value_or(-1);
                energy_of[i] = 0;
                for (Index coil = here.first; cell && coil < here.first + here.count; ++coil) {
                    energy_of[i] += std::norm(cdouble(kspace.coil(coil)[static_cast<std::size_t>(first + i)]));
                }
            }
            for (Index i = 0; i < count; ++i) {
                if (cell_of[i] >= 0) {
                    energy[cell_of[i]] += energy_of[i];
                    samples[cell_of[i]] += 1;
                }
            }
        }
    }
};

/// First and last of the whole cycles per FOV that the trajectory reaches along each axis.
struct Band {
    PerAxis<Index> first{};
    PerAxis<Index> last{};

    explicit Band(const Trajectory& trajectory) {
        for (int axis = 0; axis < 3; ++axis) {
            const std::vector<double>& k = trajectory.k[axis];
            double least = k.empty() ? 0 : k.front(), greatest = least;
#pragma omp parallel for schedule(static) reduction(min : least) reduction(max : greatest)
            for (std::size_t m = 0; m < k.size(); ++m) {
                least = std::min(least, k[m]);
                greatest = std::max(greatest, k[m]);
            }
            first[axis] = std::lround(least);
            last[axis] = std::lround(greatest);
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
    auto [energy, samples] = CellSums(cells, trajectory, kspace);
    kspace.sum(energy);
    // From here on the mean energy of a cell, and whether it has samples: a cell where readouts meet is one of many.
    for (std::size_t cell = 0; cell < energy.size(); ++cell) {
        energy[cell] /= std::max(samples[cell], 1.0);
        samples[cell] = std::min(samples[cell], 1.0);
    }
    for (int axis = 0; axis < 3; ++axis) {
        add_neighbours(cells, axis, energy);
        add_neighbours(cells, axis, samples);
    }
    const Band band(trajectory);
#pragma omp parallel for schedule(static)
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
