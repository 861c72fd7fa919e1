#pragma once

#include <span>
#include <vector>

#include "core/backend/array.hpp"

namespace recon {

// Single numbers of an array, for checks of a few: each is a transfer of its own. Offsets: first axis fastest.

std::vector<cdouble> download_elements(ConstArrayView array, std::span<const Index> offsets);
void upload_elements(std::span<const cdouble> values, std::span<const Index> offsets, ArrayView array);

}  // namespace recon
