#include "data/reading/maps_of_coils.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

#include "core/base/error.hpp"
#include "core/parallel/share.hpp"
#include "data/reading/maps_of_slices.hpp"

namespace recon {

void read_maps_of_coils(const H5File& file, const std::string& dataset, KspaceReading reading, StoredScan& stored) {
    Scan& scan = stored.scan;
    const std::vector<Index> extents = file.dataset_info(dataset).extents;
    stored.coil_map_extents = extents;
    const bool within_first = extents.size() > 2 && extents[0] == 1;  // MRD adds an axis
    const std::size_t axis = within_first ? 1 : 0;
    if (reading != KspaceReading::in_parts || extents.size() < 2 || extents[axis] != scan.coil_count) {
        scan.coil_maps = file.read<cfloat>(dataset);
        return;
    }
    scan.read_coil_maps = [path = file.path(), dataset, within_first](const Share& coils) {
        return H5File::open(path).read_rows<cfloat>(dataset, coils.first, coils.count,
                                                    within_first ? std::optional<Index>(0) : std::nullopt);
    };
}

void arrange_coil_maps(StoredScan& stored) {
    Scan& scan = stored.scan;
    if (stored.coil_map_extents.empty()) {
        return;
    }
    const auto [nx, ny, nz] = scan.geometry.matrix_size;
    const Index slice_count = slices_of_maps(stored.coil_map_extents, {scan.coil_count, nz, ny, nx});
    if (slice_count == 0) {
        throw InputError(
            fmt::format("{}: coil_maps is [{}], expected {} coils times [{}, {}, {}] (z, y, x), the image's matrix, or "
                        "as much of each slice",
                        scan.path, fmt::join(stored.coil_map_extents, ", "), scan.coil_count, nz, ny, nx));
    }
    if (slice_count == 1) {
        return;
    }
    if (!stored.has_slices) {  // which these frames are of, if of any, nobody knows
        throw InputError(
            fmt::format("{}: has coil maps of {} slices, expected one set, [coil, z, y, x], as all its frames are of "
                        "slice 0; frames of slices have `frame_labels`",
                        scan.path, slice_count));
    }
    StoredCoilMaps maps{scan.read_coil_maps ? scan.read_coil_maps({0, scan.coil_count})  // as many slices as coils
                                            : std::exchange(scan.coil_maps, {}),
                        counted_slices(slice_count)};
    check_maps_of_slices(maps, scan.geometry.matrix_size, scan.coil_count, scan.path);
    take_coil_maps(scan, std::move(maps), scan.path);
}

std::optional<PerAxis<Index>> matrix_of_coil_maps(std::span<const Index> extents, Index coil_count) {
    for (const std::size_t axes_of_space : {3, 2}) {
        if (extents.size() > axes_of_space && extents[extents.size() - axes_of_space - 1] == coil_count) {
            const auto of_space = extents.last(axes_of_space);
            return PerAxis<Index>{of_space[axes_of_space - 1], of_space[axes_of_space - 2],
                                  axes_of_space == 3 ? of_space[0] : 1};
        }
    }
    return std::nullopt;
}

}  // namespace recon
