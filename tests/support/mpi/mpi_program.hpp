#pragma once

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "tests/support/program.hpp"
#include "tests/support/running_program.hpp"

namespace recon::test {

/// Why the program cannot run on several ranks here; empty if it can.
inline std::string why_no_ranks() {
    const std::filesystem::path program(program_path());
    if (!std::filesystem::exists(program.parent_path() / "recon_mpi.so")) {
        return "this build of recon has no MPI";
    }
    return std::system("mpirun --version >/dev/null 2>&1") == 0 ? "" : "there is no mpirun";
}

/// The launcher with its options, for so many ranks on this machine, whatever it has and whoever asks. In containers
/// ranks may not read each other's memory, which Open MPI would complain of.
inline std::string launcher(int rank_count, const std::string& more = "") {
    const bool is_open_mpi = std::system("mpirun --version 2>/dev/null | grep -q 'Open MPI'") == 0;
    const std::string options = is_open_mpi
                                    ? "--oversubscribe --bind-to none --mca btl_vader_single_copy_mechanism none " +
                                          std::string(geteuid() == 0 ? "--allow-run-as-root " : "")
                                    : "";
    return "mpirun " + options + more + " -n " + std::to_string(rank_count) + " ";
}

}  // namespace recon::test
