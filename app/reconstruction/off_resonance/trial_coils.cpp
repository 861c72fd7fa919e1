#include "app/reconstruction/off_resonance/trial_coils.hpp"

#include <algorithm>
#include <numeric>
#include <span>

#include "core/base/shape.hpp"
#include "core/mri/coils/unit_maps.hpp"
#include "core/mri/grids/resample.hpp"

namespace recon {

Index strongest_count(const Scan& scan) {
    const bool is_volume = scan.geometry.matrix_size[2] > 1;
    return std::min<Index>(is_volume ? 4 : 8, scan.coil_count);
}

std::vector<Index> strongest_coils(const Scan& scan, const Frame& frame) {
    std::vector<double> energy(scan.coil_count, 0.0);
    for (Index coil = 0; coil < scan.coil_count; ++coil) {
        for (Index m = 0; m < frame.sample_count(); ++m) {
            energy[coil] += std::norm(cdouble(frame.kspace[coil * frame.sample_count() + m]));
        }
    }
    std::vector<Index> coils(scan.coil_count);
    std::iota(coils.begin(), coils.end(), 0);
    std::stable_sort(coils.begin(), coils.end(), [&](Index a, Index b) { return energy[a] > energy[b]; });
    coils.resize(strongest_count(scan));
    return coils;
}

std::vector<cfloat> maps_of_trial(const Scan& scan, const Frame& frame, const std::vector<Index>& coils,
                                  const PerAxis<Index>& matrix_size) {
    std::vector<cfloat> maps;
    if (scan.coil_maps.empty() || scan.parts || coils.size() < 2) {
        return maps;
    }
    Geometry of_scan, of_trial;
    of_scan.matrix_size = scan.geometry.matrix_size;
    of_trial.matrix_size = matrix_size;
    of_scan.field_of_view_mm = of_trial.field_of_view_mm = {1, 1, 1};
    const auto voxels = static_cast<std::size_t>(Shape::image(of_scan.matrix_size).element_count());
    const Index apart = static_cast<Index>(scan.coil_maps.size()) / scan.coil_count;
    for (const Index coil : coils) {
        const auto first = static_cast<std::size_t>(coil * apart + offset_of_coil_map(scan, frame.label.slice));
        const Resampled<cfloat> map =
            resample(std::span<const cfloat>(scan.coil_maps).subspan(first, voxels), of_scan, of_trial, "coil map");
        maps.insert(maps.end(), map.voxels.begin(), map.voxels.end());
    }
    divide_by_root_sum_of_squares(maps, static_cast<Index>(coils.size()));
    return maps;
}

}  // namespace recon
