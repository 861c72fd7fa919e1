#pragma once

#include <string>
#include <vector>

namespace recon {

/// Compute capabilities that the program holds machine code for, ascending: 80 for 8.0.
std::vector<int> built_capabilities();
std::string text_of_built_capabilities();  ///< "8.0, 9.0"

/// Whether a GPU of this compute capability runs that as it is: one of the same major number that is no older. For
/// another the driver translates each kernel when it is first loaded, and keeps what it made (~/.nv/ComputeCache).
bool has_machine_code_for(int major, int minor);

}  // namespace recon
