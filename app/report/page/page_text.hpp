#pragma once

#include <string>
#include <utility>
#include <vector>

#include "data/files/run_record.hpp"

namespace recon {

/// A line of the log that a record keeps.
struct LogLine {
    std::string level;  ///< "info", "warning"
    std::string text;
};
std::vector<LogLine> log_lines(const RunRecord& record);

/// A table of names and values; empty without rows.
std::string table(const std::vector<std::pair<std::string, std::string>>& rows);

/// A number, text or list of a record for people; "" where there is none.
std::string value_text(const RunRecord& record, const std::string& name);

/// A section with its heading; empty without contents.
std::string section(const std::string& title, const std::string& contents);

}  // namespace recon
