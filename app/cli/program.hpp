#pragma once

namespace recon {

/// The program, from its command line to its exit code (app/cli/shell/exit_code.hpp).
int run_program(int argc, char** argv);

}  // namespace recon
