#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "app/studies/ladder/ladder.hpp"

namespace recon::ladder {

/// The whole report; numbers that are not finite become null.
nlohmann::json report_json(const Report& report, const Settings& settings);

/// For the terminal: a head, one line for every step as it is done, and what was skipped.
std::string table_head();
std::string table_line(const StepRecord& record);

/// A self-contained page: tables and plots, no scripts, nothing loaded.
std::string report_page(const Report& report);

}  // namespace recon::ladder
