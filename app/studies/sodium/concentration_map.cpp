#include "app/studies/sodium/concentration_map.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/base/error.hpp"

namespace recon::sodium {
namespace {

template <class Visit>
void for_each_voxel(const VoxelGrid& grid, Visit visit) {
    const PerAxis<Index> n{grid.shape.extent(0), grid.shape.extent(1), grid.shape.extent(2)};
    std::size_t i = 0;
    for (Index z = 0; z < n[2]; ++z) {
        for (Index y = 0; y < n[1]; ++y) {
            for (Index x = 0; x < n[0]; ++x, ++i) {
                visit(i, PerAxis<double>{grid.position(0, x), grid.position(1, y), grid.position(2, z)});
            }
        }
    }
}

}  // namespace

RegionMean region_mean(std::span<const float> values, const VoxelGrid& grid, const Region& region) {
    RegionMean result;
    double sum = 0, squares = 0;
    for_each_voxel(grid, [&](std::size_t i, const PerAxis<double>& position) {
        if (region.contains(position)) {
            ++result.voxel_count;
            sum += values[i];
            squares += static_cast<double>(values[i]) * values[i];
        }
    });
    if (result.voxel_count == 0) {
        throw InputError(fmt::format("region {}: no voxel of {} lies inside; expected a finer matrix", region.name,
                                     grid.shape.text()));
    }
    const auto count = static_cast<double>(result.voxel_count);
    result.mean = sum / count;
    result.scatter = std::sqrt(std::max(0.0, squares / count - result.mean * result.mean));
    return result;
}

Calibration calibrate(std::span<const float> magnitudes, const VoxelGrid& grid, const std::vector<Region>& vials,
                      const std::function<double(const Relaxation&)>& factor) {
    if (vials.size() < 2) {
        throw InputError(fmt::format("calibration: {} phantoms, expected two or more", vials.size()));
    }
    Calibration result;
    double product = 0, square = 0;
    for (const Region& vial : vials) {
        result.vials.push_back(region_mean(magnitudes, grid, vial));
        const double expected = vial.mmol_per_l * factor(vial.relaxation);
        product += expected * result.vials.back().mean;
        square += expected * expected;
    }
    result.signal_per_mmol = product / square;
    double misfit = 0;
    for (std::size_t i = 0; i < vials.size(); ++i) {
        const double expected = vials[i].mmol_per_l * factor(vials[i].relaxation);
        misfit += std::pow(result.vials[i].mean - result.signal_per_mmol * expected, 2);
    }
    result.standard_deviation = std::sqrt(misfit / static_cast<double>(vials.size() - 1) / square);
    return result;
}

ConcentrationMap concentration_map(std::span<const float> magnitudes, std::span<const float> sd, const VoxelGrid& grid,
                                   const Calibration& calibration,
                                   const std::function<double(const PerAxis<double>&)>& factor_at) {
    ConcentrationMap map;
    map.mmol_per_l.resize(magnitudes.size());
    map.standard_deviation.resize(magnitudes.size());
    const double relative = calibration.standard_deviation / calibration.signal_per_mmol;
    for_each_voxel(grid, [&](std::size_t i, const PerAxis<double>& position) {
        const double unit = calibration.signal_per_mmol * factor_at(position);
        const double value = magnitudes[i] / unit;
        const double noise = sd.empty() ? 0 : sd[i] / unit;
        map.mmol_per_l[i] = static_cast<float>(value);
        map.standard_deviation[i] = static_cast<float>(std::hypot(noise, value * relative));
    });
    return map;
}

}  // namespace recon::sodium
