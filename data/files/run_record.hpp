#pragma once

#include <cmath>
#include <nlohmann/json.hpp>

namespace recon {

/// What a run was and how it went, as one JSON object: version, command line, options, backend, residuals, timings,
/// accuracy, log. The program builds it; `--json` and `/run` in the image file both hold it, so that they agree.
using RunRecord = nlohmann::json;

/// JSON has no infinities and no NaN.
inline RunRecord finite_or_null(double value) { return std::isfinite(value) ? RunRecord(value) : RunRecord(nullptr); }

}  // namespace recon
