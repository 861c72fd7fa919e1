#pragma once

#include "app/cli/reconstruct_command_line.hpp"

namespace recon {

/// A warning for each option that has no say beside the others.
/// @param line  its regularisation has been read
void warn_of_idle_options(const ReconstructCommandLine& line);

}  // namespace recon
