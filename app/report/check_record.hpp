#pragma once

#include <string>
#include <vector>

#include "app/reconstruction/check/run_check.hpp"
#include "data/files/run_record.hpp"

namespace recon {

/// [{kind, text, fix}, ...]
RunRecord findings_record(const std::vector<CheckFinding>& findings);

/// What `recon check --json` writes.
RunRecord scan_check_record(const ScanCheck& check);

/// `check` in the record of a run: verdict and findings of all that was checked.
/// @param findings  of the check before the run, of its field map, of its residual
RunRecord run_check_record(const RunCheck& check, const std::vector<CheckFinding>& findings);

}  // namespace recon
