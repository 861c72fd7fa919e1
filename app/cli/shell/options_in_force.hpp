#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "data/files/run_record.hpp"

namespace recon {

/// Every option with the value in force, by name: numbers, texts, lists, true and false; null where there is none.
RunRecord options_in_force(CLI::App& app);

/// The command line that gives the same options, as a shell takes it.
std::string command_text(CLI::App& app);

/// A file for --config that gives the same options, a line each.
std::string config_text(CLI::App& app);

}  // namespace recon
