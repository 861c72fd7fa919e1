#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "app/pipeline/checkpoint/checkpoint.hpp"
#include "core/devices/team.hpp"
#include "data/files/file_identity.hpp"

namespace recon {

/// What a user gives to keep a long run.
struct CheckpointCommandLine {
    std::string path;  ///< empty: nothing is kept
    std::string every = "60s";
    bool resume = false;
};

void add_checkpoint_options(CLI::App& app, CheckpointCommandLine& line);

/// "90", "90s", "5m", "1h". @throws UsageError for anything else, and for less than nothing or more than a year
double parse_seconds(const std::string& text);

/// What decides the bytes of the image: version, backends, options, and what is in the files that go in.
/// @param options  of the run and their values  @param inputs  none twice; of folders all files count
RunRecord run_identity(const RunRecord& options, const std::vector<NamedFile>& inputs,
                       const std::vector<NamedFile>& outputs, const Team& team);

/// That of a rank, FILE.rank1 of the second one, which looks into those of all others, however many there were.
/// @throws as Checkpoint
std::shared_ptr<Checkpoint> open_checkpoint(const CheckpointCommandLine& line, const RunRecord& identity, int rank = 0);

}  // namespace recon
