#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "app/studies/heart/heart_ladder.hpp"

namespace recon::heart {

/// The whole report; numbers that are not finite become null.
nlohmann::json ladder_json(const LadderReport& report, const LadderSettings& settings);

/// For the terminal: a head, one line for every step as it is done, what was measured where.
std::string ladder_head();
std::string ladder_line(const LadderRecord& record);
std::string ladder_foot(const LadderReport& report);

/// A self-contained page: tables and plots, no scripts, nothing loaded.
std::string ladder_page(const LadderReport& report);

}  // namespace recon::heart
