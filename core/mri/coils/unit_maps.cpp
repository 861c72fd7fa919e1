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

std::vector<cfloat> unit_maps(const TrigonometricField& sensitivities, const PerAxis<Index>& matrix_size,
                              const Share& coils) {
    const Index width = matrix_size[0], height = matrix_size[1];
    const Index voxel_count = width * height * matrix_size[2];
    std::vector<cfloat> maps(voxel_count * coils.count);
#pragma omp parallel
    {
        TrigonometricField::Rows rows(sensitivities, matrix_size);
        std::vector<cfloat> row;  // [x coil]
#pragma omp for schedule(static)
        for (Index line = 0; line < height * matrix_size[2]; ++line) {
            rows.evaluate(line % height, line / height, row);
            for (Index x = 0; x < width; ++x) {
                double square = 0;
                for (Index coil = 0; coil < sensitivities.component_count(); ++coil) {
                    square += std::norm(cdouble(row[coil * width + x]));
                }
                const auto factor = static_cast<float>(square > 0 ? 1 / std::sqrt(square) : 0);
                for (Index coil = 0; coil < coils.count; ++coil) {
                    maps[coil * voxel_count + line * width + x] = factor * row[(coils.first + coil) * width + x];
                }
            }
        }
    }
    return maps;
}

}  // namespace recon
