#pragma once

#include <string>
#include <vector>

#include "core/base/types.hpp"

namespace recon {

/// One .dat file of the IMPATIENT format.
struct ImpatientFile {
    std::vector<float> values;  ///< of all coils, one block after the other
    Index coil_count = 1;
};

/// Reads either header style: binary version 0.2, or text version 1.0. (docs/file-formats.md)
/// @throws InputError if the file is missing, has neither header, or is shorter or longer than its header says
ImpatientFile read_impatient_file(const std::string& path);

}  // namespace recon
