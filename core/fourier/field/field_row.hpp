#pragma once

#include "core/base/types.hpp"
#include "core/processor/cpu_level.hpp"

// Sums of few terms, for every row of voxels of a field. Of the processor's level (core/processor/cpu_level.hpp).

namespace recon {

/// sums = coefficients phases, of `terms` columns with `count` coefficients each.
using SumTerms = void(const cfloat* coefficients, Index count, Index terms, const cfloat* phases, cfloat* sums);
/// values [voxel component] = sum over terms of coefficients [component term] times phases [term voxel].
using FieldRowValues = void(const cfloat* coefficients, Index component_count, Index terms, const cfloat* phases,
                            Index voxel_count, cfloat* values);

SumTerms sum_terms;
FieldRowValues field_row_values;

namespace RECON_CPU_LEVEL {
SumTerms sum_terms;
FieldRowValues field_row_values;
}  // namespace RECON_CPU_LEVEL

}  // namespace recon
