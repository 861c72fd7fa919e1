#pragma once

#include "core/base/types.hpp"
#include "core/processor/cpu_level.hpp"

// What is computed for every row of voxels of coil maps. Of the processor's level (core/processor/cpu_level.hpp).

namespace recon {

/// sums = coefficients phases, of `terms` columns with `count` coefficients each.
using SumTerms = void(const cfloat* coefficients, Index count, Index terms, const cfloat* phases, cfloat* sums);
/// values [voxel component] = sum over terms of coefficients [component term] times phases [term voxel].
using FieldRowValues = void(const cfloat* coefficients, Index component_count, Index terms, const cfloat* phases,
                            Index voxel_count, cfloat* values);

/// Hermitian matrices of coil by coil, those of the voxels of a row, and where their dominant eigenvectors go.
struct CoilMatrixRow {
    Index voxel_count, coil_count;
    const cfloat* pairs;                  ///< [voxel pair], c <= c' in the order of CoilMatrixField
    const cfloat* images;                 ///< [voxel coil], where the iterations begin
    const cfloat* reference;              ///< [coil]; conj(reference).vector is positive
    Index first_coil, stored_coil_count;  ///< whose elements are wanted
    cfloat* vectors;                      ///< [voxel coil]
    Index stride;                         ///< of vectors, from coil to coil
    float* eigenvalues;                   ///< [voxel]
    float* energies;                      ///< |vector^H image|^2, [voxel]
};
using DominantOfRow = void(const CoilMatrixRow& row);

SumTerms sum_terms;
FieldRowValues field_row_values;
DominantOfRow dominant_of_row;

namespace RECON_CPU_LEVEL {
SumTerms sum_terms;
FieldRowValues field_row_values;
DominantOfRow dominant_of_row;
}  // namespace RECON_CPU_LEVEL

}  // namespace recon
