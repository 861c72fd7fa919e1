#pragma once

#include <string>
#include <vector>

#include "app/reconstruction/check/scan_check.hpp"
#include "core/mri/scan.hpp"

namespace recon {

/// What was left out of a scan before anything is made of it, for people.
struct LeftOutSamples {
    std::vector<std::string> texts;
    std::string dead_readouts;  ///< the one of them that is a doubt about the scan; empty: none is
};

/// Leaves out what was not measured (find_unmeasured), with a warning: a zero is a measurement of nothing, and makes
/// the image one of an object that has none there. Of frames that are read when their turn comes one of the coils is
/// looked at, where it can be read by itself and there are four and more; all of them where it, or the first frame,
/// shows any.
/// @param scan  its first frame is in memory
LeftOutSamples leave_out_unmeasured(Scan& scan);

/// Adds what is a doubt to the findings.
void add_findings(const LeftOutSamples& left_out, ScanCheck& check);

}  // namespace recon
