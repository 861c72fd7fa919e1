#pragma once

#include <optional>
#include <string>

#include "data/files/run_record.hpp"

namespace recon {

/// The lines of a description that say how an image was made: program, command, prior, iterations, predicted error,
/// residual, time; those that the record has.
std::string describe_record(const RunRecord& record);

/// The record that a file of JSON holds (--json); none: it is none.
std::optional<RunRecord> record_of_file(const std::string& path);

}  // namespace recon
