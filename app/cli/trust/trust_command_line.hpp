#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "app/reconstruction/gradients/gradient_correction.hpp"
#include "app/reconstruction/options/check_options.hpp"
#include "app/reconstruction/options/coil_options.hpp"

namespace recon {

/// What a user says of how far the scan is to be trusted.
struct TrustCommandLine {
    bool check = true;
    bool strict = false;  ///< doubt is an error
    bool despike = false;
    bool remove_offset = false;
    bool mend = true;  ///< what is certainly no measurement
    std::string fixes;
    std::string drop_coils;
};

/// Declares the options, bound to `line`, which outlives `app`'s parse.
void add_trust_options(CLI::App& app, TrustCommandLine& line);

/// What --fix asks for; empty: nothing. @throws UsageError as parse_scan_fixes
std::vector<ScanFix> read_fixes(const std::string& text);

/// @param gradients  delays may be asked for, or given  @param coils  gets the coils that are named  @throws UsageError
/// if an option cannot be read
CheckOptions read_check_options(const TrustCommandLine& line, const GradientOptions& gradients, CoilOptions& coils);

/// "0,3,5-7" as ascending numbers. @throws UsageError for anything else
std::vector<Index> parse_coil_list(const std::string& text);

}  // namespace recon
