#include "data/reading/maps_of_coils.hpp"

#include "core/parallel/share.hpp"

namespace recon {

void read_maps_of_coils(const H5File& file, const std::string& dataset, KspaceReading reading, Scan& scan) {
    const std::vector<Index> extents = file.dataset_info(dataset).extents;
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

}  // namespace recon
