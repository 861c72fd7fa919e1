#pragma once

#include <string>

#include "app/reconstruct_options.hpp"
#include "core/mri/scan.hpp"

namespace recon {

/// Puts the field map that the user named into the scan, and checks that all is there that its correction needs.
/// @param field_map_name  a file, or the name in the scan under which the reader has found it; empty: no correction
/// @throws InputError if there is no such map, or no sample times
void prepare_off_resonance(Scan& scan, const std::string& field_map_name, const OffResonanceOptions& options);

}  // namespace recon
