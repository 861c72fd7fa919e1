#include "data/simulation/phantoms/gaussian_blobs.hpp"

#include <algorithm>
#include <cmath>

#include "core/backend/cpu/cpu_backend.hpp"
#include "core/operators/sampling/nufft.hpp"

namespace recon {
namespace {

constexpr double cut_reach = 3.5;      // standard deviations
constexpr double blob_reach = 6;       // exp(-18) = 1.5e-8
constexpr double alias_exponent = 21;  // exp(-21) = 8e-10
constexpr double nufft_tolerance = 1e-9;

/// A blob's values along one axis, from the first grid point in its blob_reach.
struct Profile {
    Index first = 0;
    std::vector<double> values;
};

Profile profile_of(const GaussianBlob& blob, const VoxelGrid& grid, int axis, bool present) {
    if (!present) {
        return {0, {1}};
    }
    const double spacing = grid.spacing[axis];
    const auto index_of = [&](double position) { return position / spacing + static_cast<double>(grid.origin[axis]); };
    const Index last_point = grid.shape.extent(axis) - 1;
    const auto first =
        std::max<Index>(0, static_cast<Index>(std::ceil(index_of(blob.centre[axis] - blob_reach * blob.sigma))));
    const auto last = std::min<Index>(
        last_point, static_cast<Index>(std::floor(index_of(blob.centre[axis] + blob_reach * blob.sigma))));
    Profile profile{first, {}};
    for (Index i = first; i <= last; ++i) {
        const double distance = (grid.position(axis, i) - blob.centre[axis]) / blob.sigma;
        profile.values.push_back(std::exp(-distance * distance / 2));
    }
    return profile;
}

}  // namespace

GaussianBlobs::GaussianBlobs(const std::vector<GaussianBlob>& solid, PerAxis<bool> present, PerAxis<double> section)
    : present_(present) {
    for (GaussianBlob blob : solid) {
        double square = 0;
        for (int axis = 0; axis < 3; ++axis) {
            if (!present[axis]) {
                square += std::pow((section[axis] - blob.centre[axis]) / blob.sigma, 2);
                blob.centre[axis] = 0;
            }
        }
        if (square < cut_reach * cut_reach) {
            blob.amplitude *= std::exp(-square / 2);
            blobs_.push_back(blob);
        }
    }
}

std::vector<double> GaussianBlobs::values(const VoxelGrid& grid) const {
    const auto blob_count = static_cast<Index>(blobs_.size());
    std::vector<PerAxis<Profile>> profiles(blob_count);
    for (Index j = 0; j < blob_count; ++j) {
        for (int axis = 0; axis < 3; ++axis) {
            profiles[j][axis] = profile_of(blobs_[j], grid, axis, present_[axis]);
        }
    }
    const Index width = grid.shape.extent(0), height = grid.shape.extent(1), depth = grid.shape.extent(2);
    std::vector<double> values(grid.shape.element_count(), 0);
#pragma omp parallel for schedule(dynamic)
    for (Index row = 0; row < height * depth; ++row) {
        const Index y = row % height, z = row / height;
        double* line = values.data() + row * width;
        for (Index j = 0; j < blob_count; ++j) {
            const auto& [along_x, along_y, along_z] = profiles[j];
            const Index from_y = y - along_y.first, from_z = z - along_z.first;
            if (from_y < 0 || from_y >= static_cast<Index>(along_y.values.size()) || from_z < 0 ||
                from_z >= static_cast<Index>(along_z.values.size())) {
                continue;
            }
            const double height_here = blobs_[j].amplitude * along_y.values[from_y] * along_z.values[from_z];
            for (std::size_t i = 0; i < along_x.values.size(); ++i) {
                line[along_x.first + static_cast<Index>(i)] += height_here * along_x.values[i];
            }
        }
    }
    return values;
}

VoxelGrid GaussianBlobs::resolving_grid(const TrigonometricMaps& maps, const Trajectory& trajectory) const {
    double narrowest = 1;
    PerAxis<double> extent{};
    for (const GaussianBlob& blob : blobs_) {
        narrowest = std::min(narrowest, blob.sigma);
        for (int axis = 0; axis < 3; ++axis) {
            extent[axis] = std::max(extent[axis], std::abs(blob.centre[axis]) + blob_reach * blob.sigma);
        }
    }
    PerAxis<Index> points{1, 1, 1};
    VoxelGrid grid{{}, {0, 0, 0}, {1, 1, 1}};
    for (int axis = 0; axis < 3; ++axis) {
        if (!present_[axis]) {
            continue;
        }
        double largest = 0;
        for (const double k : trajectory.k[axis]) {
            largest = std::max(largest, std::abs(k));
        }
        double shift = 0;
        for (const PerAxis<double>& q : maps.frequencies) {
            shift = std::max(shift, std::abs(q[axis]));
        }
        // The nearest alias of |k - q| lies at 1/spacing - |k - q|, where the blobs' transforms must be over.
        const double rate = largest + shift + std::sqrt(alias_exponent / 2) / (pi * narrowest);
        const auto half = static_cast<Index>(std::ceil(extent[axis] * rate));
        points[axis] = 2 * half + 1;
        grid.origin[axis] = half;
        grid.spacing[axis] = 1 / rate;
    }
    grid.shape = Shape::image(points);
    return grid;
}

std::vector<cdouble> GaussianBlobs::transform(const TrigonometricMaps& maps, const Trajectory& trajectory) const {
    const Index sample_count = trajectory.sample_count();
    std::vector<cdouble> result(sample_count * maps.map_count);
    if (blobs_.empty() || sample_count == 0) {
        return result;
    }
    const VoxelGrid grid = resolving_grid(maps, trajectory);
    const std::vector<double> object = values(grid);
    double cell = 1;
    for (int axis = 0; axis < 3; ++axis) {
        cell *= present_[axis] ? grid.spacing[axis] : 1;
    }
    const auto backend = make_cpu_backend(0);
    const Nufft nufft(*backend, trajectory, grid, nufft_tolerance, Precision::double_);
    Array image(*backend, grid.shape, Precision::double_);
    Array samples(*backend, Shape::samples(sample_count), Precision::double_);
    for (Index map = 0; map < maps.map_count; ++map) {
        std::vector<cdouble> weighted = maps.values(map, grid);
        for (std::size_t i = 0; i < weighted.size(); ++i) {
            weighted[i] *= object[i] * cell;
        }
        upload(std::span<const cdouble>(weighted), image);
        nufft.forward(image, samples);
        download(samples, std::span<cdouble>(result).subspan(map * sample_count, sample_count));
    }
    return result;
}

}  // namespace recon
