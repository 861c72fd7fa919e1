#include "core/mri/coils/coil_maps.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/cancel.hpp"
#include "core/base/error.hpp"
#include "core/mri/coils/cartesian_kspace.hpp"
#include "core/mri/coils/coil_calibration_images.hpp"
#include "core/mri/coils/dominant_eigenvectors.hpp"

namespace recon {
namespace {

bool is_zero(const std::vector<cdouble>& values) {
    return std::all_of(values.begin(), values.end(), [](cdouble value) { return value == cdouble(0); });
}

}  // namespace

std::vector<cfloat> walsh_maps(Backend& backend, const CalibrationKspace& calibration,
                               const PerAxis<Index>& matrix_size, const std::optional<Share>& coils) {
    double energy = 0;
    for (const cdouble value : calibration.values) {
        energy += std::norm(value);
    }
    if (!(energy > 0)) {
        throw InputError("coil maps: the centre of k-space is zero; give `coil_maps` FILE");
    }
    const CoilMatrixField covariance = local_covariance(calibration);
    const TrigonometricField images = calibration_images(calibration, 1 / std::sqrt(energy));
    const std::vector<cfloat> reference = principal_component(calibration);
    return dominant_eigenvectors(backend, {covariance, images, reference, matrix_size},
                                 coils.value_or(Share{0, calibration.coil_count}))
        .vectors;
}

std::size_t walsh_backend_bytes(const Backend& backend, const CalibrationRegion& region, Index coil_count,
                                const PerAxis<Index>& matrix_size, Index stored_count) {
    return dominant_eigenvectors_bytes(
        backend, {coil_count, covariance_degree(region), region.half_extent(), matrix_size}, stored_count);
}

std::vector<cfloat> body_coil_maps(const CalibrationKspace& calibration, std::span<const cfloat> body_coil_image,
                                   const PerAxis<Index>& matrix_size, const std::optional<Share>& coils) {
    const Share wanted = coils.value_or(Share{0, calibration.coil_count});
    const Index coil_count = calibration.coil_count;
    CalibrationKspace with_body = cartesian_kspace(body_coil_image, matrix_size, calibration.region);
    if (is_zero(with_body.values)) {
        throw InputError("coil maps: the body coil's image is zero");
    }
    with_body.values.insert(with_body.values.begin(), calibration.values.begin(), calibration.values.end());
    with_body.coil_count = coil_count + 1;
    const CoilMatrixField field = local_covariance(with_body);
    TrigonometricField::Rows rows(field.pairs, matrix_size);
    const Index voxel_count = matrix_size[0] * matrix_size[1] * matrix_size[2];
    std::vector<cfloat> maps(voxel_count * wanted.count);
    std::vector<float> body(voxel_count);  // (|b|^2)*
    std::vector<cfloat> pairs;
    for (Index row = 0; row < matrix_size[1] * matrix_size[2]; ++row) {
        cancel_of_this_thread().check();
        rows.evaluate(row % matrix_size[1], row / matrix_size[1], pairs);
        for (Index x = 0; x < matrix_size[0]; ++x) {
            const Index voxel = row * matrix_size[0] + x;
            const auto of_body = [&](Index c) {
                return pairs[CoilMatrixField::pair(c, coil_count) * matrix_size[0] + x];
            };
            body[voxel] = of_body(coil_count).real();
            for (Index c = 0; c < wanted.count; ++c) {
                maps[c * voxel_count + voxel] = of_body(wanted.first + c);
            }
        }
    }
    // a / b as a b / (b^2 + floor^2): 1 % less where |b| is a tenth of its maximum, nothing where it is noise
    const float largest = *std::max_element(body.begin(), body.end());
    const float floor = 1e-3F * largest;
    for (Index voxel = 0; voxel < voxel_count; ++voxel) {
        const float inverse = body[voxel] / (body[voxel] * body[voxel] + floor * floor);
        for (Index c = 0; c < wanted.count; ++c) {
            maps[c * voxel_count + voxel] *= body[voxel] > floor ? inverse : 0;
        }
    }
    return maps;
}

}  // namespace recon
