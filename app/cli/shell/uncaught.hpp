#pragma once

namespace recon {

/// From now on an exception that nothing catches - no exception leaves a parallel region - ends the program with a line
/// and its exit code, rather than with a core dump. Outputs stay as they are.
void end_with_a_line_if_uncaught();

}  // namespace recon
