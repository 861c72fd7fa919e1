#pragma once

#include <CLI/CLI.hpp>

namespace recon {

/// `recon bench`: the speed of every part on this machine, beside its bound and its error.
void add_bench_command(CLI::App& app);

}  // namespace recon
