#include "core/mri/coils/unit_maps.hpp"

#include <cmath>

namespace recon {

void divide_by_root_sum_of_squares(std::vector<cfloat>& maps, Index coil_count) {
    const Index voxel_count = std::ssize(maps) / coil_count;
#pragma omp parallel for schedule(static)
    for (Index n = 0; n < voxel_count; ++n) {
        double square = 0;
        for (Index coil = 0; coil < coil_count; ++coil) {
            square += std::norm(cdouble(maps[coil * voxel_count + n]));
        }
        const auto factor = static_cast<float>(square > 0 ? 1 / std::sqrt(square) : 0);
        for (Index coil = 0; coil < coil_count; ++coil) {
            maps[coil * voxel_count + n] *= factor;
        }
    }
}

}  // namespace recon
