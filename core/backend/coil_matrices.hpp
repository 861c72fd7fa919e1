#pragma once

#include <span>

#include "core/fourier/field/trigonometric_field.hpp"

namespace recon {

/// A Hermitian, positive semi-definite matrix of coil by coil at every position, band-limited:
///
///     G[c,c'](r) = sum_q C[c,c'](q) exp(-i 2 pi q.r),   C[c',c](-q) = conj(C[c,c'](q)).
///
/// Components of the field are the pairs c <= c' in the order (0,0), (0,1), (1,1), (0,2), ...
struct CoilMatrixField {
    Index coil_count;
    TrigonometricField pairs;

    CoilMatrixField(Index coils, const PerAxis<Index>& degree)
        : coil_count(coils), pairs(coils * (coils + 1) / 2, degree, TrigonometricField::Sign::minus) {}
    static Index pair(Index c, Index c2) { return c2 * (c2 + 1) / 2 + c; }
};

/// What the memory that their eigenvectors take depends on.
struct CoilMatrixSizes {
    Index coil_count;
    PerAxis<Index> degree;        ///< of the matrices
    PerAxis<Index> image_degree;  ///< of the images
    PerAxis<Index> matrix_size;
};

/// What ImagePrimitives::dominant_eigenvectors looks for eigenvectors of, on the voxels of an image.
struct CoilMatrices {
    const CoilMatrixField& field;
    const TrigonometricField& images;   ///< of all coils, where the iterations begin
    std::span<const cfloat> reference;  ///< [coil]; conj(reference).vector is positive
    PerAxis<Index> matrix_size;

    CoilMatrixSizes sizes() const { return {field.coil_count, field.pairs.degree(), images.degree(), matrix_size}; }
};

/// Unit vectors are multiplied by their matrix until they move less than rounding of the maps would show.
constexpr int most_power_iterations = 60;
constexpr float smallest_power_step = 1e-5F;

}  // namespace recon
