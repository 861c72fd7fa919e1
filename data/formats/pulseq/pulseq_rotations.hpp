#pragma once

#include <map>

#include "core/base/types.hpp"
#include "data/formats/pulseq/pulseq_extensions.hpp"

namespace recon {

/// What a block's gradients are multiplied by; rows first.
using PulseqRotation = PerAxis<PerAxis<double>>;

/// By the numbers of the lists of extensions that hold a rotation (extension ROTATIONS, a unit quaternion each).
/// @throws InputError that names the line
std::map<Index, PulseqRotation> pulseq_rotations(const PulseqSections& sections, const PulseqExtensions& extensions);

}  // namespace recon
