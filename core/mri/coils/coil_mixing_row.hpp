#pragma once

#include "core/base/types.hpp"
#include "core/processor/cpu_level.hpp"

namespace recon {

/// Elements of all coils that lie side by side, and the matrix that makes other coils of them.
struct CoilMixingRow {
    const cfloat* mixing;  ///< [coil, new coil]
    Index coil_count, new_coil_count;
    const cfloat* from;  ///< [element coil]
    Index stride;        ///< from one coil to the next
    cfloat* to;          ///< [element new coil]
    Index to_stride;
};

/// Elements of a row.
constexpr Index coil_mixing_row = 16;

/// to = from mixing, in the lanes of the vector unit: the bits of an element do not depend on the elements beside it.
/// Of the processor's level (core/processor/cpu_level.hpp).
using MixRow = void(const CoilMixingRow& row);

MixRow mix_row;

namespace RECON_CPU_LEVEL {
MixRow mix_row;
}

}  // namespace recon
