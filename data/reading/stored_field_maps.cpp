#include "data/reading/stored_field_maps.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "core/base/error.hpp"
#include "core/mri/off_resonance/field_maps_of_slices.hpp"
#include "data/reading/maps_of_slices.hpp"

namespace recon {
namespace {

/// @param slice_count  of the maps, counted from 0
void keep_those_of_frames(Scan& scan, Index slice_count) {
    const std::vector<float> all = std::exchange(scan.off_resonance_hz, {});
    const Index of_one = std::ssize(all) / slice_count;
    scan.off_resonance_slices = slices_of(scan);
    for (const Index slice : scan.off_resonance_slices) {
        if (slice >= slice_count) {
            throw InputError(fmt::format("{}: has field maps of {} slices, expected one of slice {} too", scan.path,
                                         slice_count, slice));
        }
        const auto first = all.begin() + slice * of_one;
        scan.off_resonance_hz.insert(scan.off_resonance_hz.end(), first, first + of_one);
    }
}

}  // namespace

void arrange_field_maps(StoredScan& stored) {
    Scan& scan = stored.scan;
    if (stored.field_map_extents.empty()) {
        return;
    }
    const auto [nx, ny, nz] = scan.geometry.matrix_size;
    const Index slice_count = slices_of_maps(stored.field_map_extents, {nz, ny, nx});
    if (slice_count == 0) {
        throw InputError(
            fmt::format("{}: {} is [{}], expected [{}, {}, {}] (z, y, x), the image's matrix, or as much of each slice",
                        scan.path, stored.field_map_name, fmt::join(stored.field_map_extents, ", "), nz, ny, nx));
    }
    if (slice_count > 1 && !stored.has_slices) {
        throw InputError(
            fmt::format("{}: {} is of {} slices, expected one map, [z, y, x], as all frames are of slice 0", scan.path,
                        stored.field_map_name, slice_count));
    }
    if (slice_count > 1) {
        keep_those_of_frames(scan, slice_count);
    }
}

std::vector<Index> extents_of_field_maps(const Scan& scan, const std::vector<float>& maps) {
    const auto [nx, ny, nz] = scan.geometry.matrix_size;
    const std::vector<Index>& slices = scan.off_resonance_slices;
    const auto slice_count = std::max<Index>(1, std::ssize(slices));
    if (std::ssize(maps) != slice_count * nx * ny * nz || (slice_count > 1 && slices != counted_slices(slice_count))) {
        throw ShapeError(
            fmt::format("{} values of field maps of the slices [{}] do not fit {} x {} x {} voxels in slices that are "
                        "counted from 0",
                        maps.size(), fmt::join(slices, ", "), nx, ny, nz));
    }
    return slice_count > 1 ? std::vector{slice_count, nz, ny, nx} : std::vector{nz, ny, nx};
}

std::vector<std::string> axes_of_field_maps(const Scan& scan) {
    return scan.off_resonance_slices.size() > 1 ? std::vector<std::string>{"slice", "z", "y", "x"}
                                                : std::vector<std::string>{"z", "y", "x"};
}

}  // namespace recon
