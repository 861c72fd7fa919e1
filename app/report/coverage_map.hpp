#pragma once

#include <vector>

#include "core/base/named_array.hpp"
#include "core/mri/scan.hpp"

namespace recon {

/// How many samples of the first frame lie where in k-space: counts on a square grid over the band of the image, for
/// each pair of axes with more than one voxel, named coverage/xy and so on, axes {"ky", "kx"}. Samples outside count at
/// the edge; of very many samples every n-th counts.
std::vector<NamedArray> coverage_maps(const Scan& scan);

}  // namespace recon
