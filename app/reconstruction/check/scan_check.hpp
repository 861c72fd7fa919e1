#pragma once

#include <string>
#include <vector>

#include "core/backend/backend.hpp"
#include "core/mri/check/scan_fix.hpp"
#include "core/mri/scan.hpp"

namespace recon {

/// What a check has to say of a scan.
struct CheckFinding {
    std::string kind;  ///< "dead_coil", "k_space", "trajectory", "readouts", "coil_maps", "residual", "cannot_tell"
    std::string text;  ///< one sentence
    std::string fix;   ///< that mends it, as ScanFix::text(); empty: none is known
};

enum class CheckVerdict { fine, doubtful, unusable };
std::string name_of(CheckVerdict verdict);

/// One way to understand the scan, and how well an image explains it then.
struct CheckTrial {
    ScanFix fix;
    double residual = 1;
    double noise = 0;  ///< the part of it that is noise; 0: unknown
};

struct ScanCheck {
    CheckVerdict verdict = CheckVerdict::fine;
    std::vector<CheckFinding> findings;
    PerAxis<Index> matrix_size{};  ///< of the coarse images that were compared
    Index coil_count = 0;          ///< of them
    double residual = 0;           ///< |E rho - d| / |d| of the scan as it is
    double noise = 0;              ///< the part of it that is noise; 0: unknown
    std::vector<CheckTrial> trials;
};

/// Looks for the usual mistakes in a scan: coils that hold nothing; then the scan is fitted at low resolution as it is,
/// and again as it would be if one thing were otherwise (ScanFix): conjugated, mirrored, axes exchanged, readouts
/// shifted or reversed, k scaled, maps conjugated, mirrored, or in another order. A change that explains the data
/// clearly better is a finding. Without coil maps in the scan, a mirrored or exchanged axis mirrors or turns the image
/// and nothing else: then that is said ("cannot_tell").
/// @param scan  whose first frame is in memory or can be loaded
ScanCheck check_scan_physics(const Scan& scan, Backend& backend);

}  // namespace recon
