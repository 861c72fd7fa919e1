#pragma once

#include <limits>
#include <string>
#include <vector>

#include "core/backend/backend.hpp"
#include "core/mri/check/check_finding.hpp"
#include "core/mri/check/scan_fix.hpp"
#include "core/mri/scan.hpp"

namespace recon {

/// One way to understand the scan, and how well an image explains it then.
struct CheckTrial {
    ScanFix fix;
    double residual = 1;
    double noise = 0;              ///< the part of it that is noise; 0: unknown
    double samples_per_voxel = 0;  ///< of all coils, inside the band of the coarse images
};

struct ScanCheck {
    CheckVerdict verdict = CheckVerdict::fine;
    std::vector<CheckFinding> findings;
    PerAxis<Index> matrix_size{};  ///< of the coarse images that were compared
    double residual = 0;           ///< |E rho - d| / |d| of the scan as it is
    double noise = 0;              ///< the part of it that is noise; 0: unknown
    double samples_per_voxel = 0;  ///< of all coils, inside the band of the coarse images
    std::vector<CheckTrial> trials;
    std::vector<Index>
        useless_coils;         ///< of those with maps: that hold no signal (deaf_coils), or do not fit the others
    bool out_of_time = false;  ///< before all readings had been tried
};

/// "residual 0.05 at 32 x 32, of it noise 0.02"; where its noise is not known, or not below it, that.
std::string residual_text(const ScanCheck& check);

struct ScanCheckOptions {
    enum class Readings {
        all,
        if_unexplained  ///< other readings only where the scan as it is leaves more than noise and low resolution do
    } readings = Readings::all;
    double most_seconds = std::numeric_limits<double>::infinity();  ///< after which no further reading is tried
    std::vector<Index> left_out = {};  ///< coils that a reconstruction will leave out, ascending
    bool judge = true;                 ///< else only the questions about coils are answered that another process has
    bool is_despiked = false;          ///< then spikes are not looked for
    bool is_without_offsets = false;   ///< likewise
    bool is_on_time = false;           ///< so are delays of gradients
};

/// Adds findings in front of the others; the verdict is doubtful then.
void add_doubts(const std::vector<CheckFinding>& doubts, ScanCheck& check);

/// Looks for the usual mistakes in a scan: coils and readouts that hold nothing, or noise, or spikes; then the scan is
/// fitted at low resolution as it is, and again as it would be if one thing were otherwise (ScanFix): conjugated,
/// mirrored, axes exchanged, readouts shifted or reversed, k scaled, maps conjugated, mirrored, or in another order. A
/// change that explains the data clearly better is a finding. Without coil maps in the scan, a mirrored or exchanged
/// axis mirrors or turns the image and nothing else: then that is said ("cannot_tell").
/// @param scan  whose first frame is in memory or can be loaded. Where processes hold parts of the coils each calls it
ScanCheck check_scan_physics(const Scan& scan, Backend& backend, const ScanCheckOptions& options = {});

}  // namespace recon
