#include "core/mri/coils/map_fit.hpp"

#include <algorithm>

#include "core/mri/coils/coil_calibration_images.hpp"

namespace recon {

double unexplained_part(const CalibrationKspace& calibration, const std::vector<cfloat>& maps,
                        const PerAxis<Index>& matrix_size) {
    constexpr Index enough_voxels = 30000;
    double largest = 0;
    for (const cdouble value : calibration.values) {
        largest = std::max(largest, std::abs(value));
    }
    if (!(largest > 0)) {
        return 0;
    }
    const TrigonometricField images = calibration_images(calibration, 1 / largest);
    const TrigonometricField::Rows rows(images, matrix_size);
    const Index coil_count = images.component_count();
    const Index row_count = matrix_size[1] * matrix_size[2];
    const Index voxel_count = matrix_size[0] * row_count;
    const Index stride = std::max<Index>(1, voxel_count / enough_voxels);
    double all = 0, left = 0;
    std::vector<cfloat> values;
    for (Index row = 0; row < row_count; row += stride) {
        rows.evaluate(row % matrix_size[1], row / matrix_size[1], values);
        for (Index x = 0; x < matrix_size[0]; ++x) {
            const Index voxel = row * matrix_size[0] + x;
            cdouble along = 0;
            double square = 0;
            for (Index c = 0; c < coil_count; ++c) {
                const cdouble image(values[static_cast<std::size_t>(x * coil_count + c)]);
                along += std::conj(cdouble(maps[static_cast<std::size_t>(c * voxel_count + voxel)])) * image;
                square += std::norm(image);
            }
            all += square;
            left += square - std::norm(along);
        }
    }
    return all > 0 ? std::clamp(left / all, 0.0, 1.0) : 0;
}

}  // namespace recon
