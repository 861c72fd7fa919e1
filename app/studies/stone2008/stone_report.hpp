#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "app/studies/stone2008/stone_study.hpp"

namespace recon::stone {

/// Minutes of [Stone 2008] on a GeForce 8800 GTX and a CPU of its time, for the same size; 0 where it has none.
struct Published {
    const char* id;  ///< of the row that it stands beside
    const char* title;
    double q_min;
    double fhd_min;
    double solver_min;
    double q_gflops;
    double fhd_gflops;
    double error_percent;
    double total_min() const { return q_min + fhd_min + solver_min; }
};

/// The figures that stand beside a row; null if there are none.
const Published* published_for(const std::string& id);

/// Head of the table, and one line a row.
std::string table_head();
std::string table_line(const Row& row);
/// What the marks mean, and what was run on what.
std::string table_notes(const Report& report);

nlohmann::json report_json(const Report& report);

}  // namespace recon::stone
