#pragma once

#include "app/reconstruction/check/scan_check.hpp"

namespace recon {

/// The part of the data that a low resolution leaves beside the noise: measured over good simulated scans it is at most
/// 0.052 with given maps, 0.135 with maps from the centre of k-space; the usual mistakes leave more in nearly all cases
/// (docs/check.md).
constexpr double explained_but_for(bool maps_are_known) { return maps_are_known ? 0.06 : 0.15; }

/// Adds what the trials of a check say to its findings, and settles its verdict.
/// @param maps_are_known  the probe has several coils, and maps that were measured apart
/// @param has_strong_field  the scan has a field map of more than a turn over its samples, which fits do not use
void judge_readings(bool maps_are_known, ScanCheck& check, bool has_strong_field = false);

/// Where nothing was found, but more is left than noise and low resolution explain, says so.
void remark_on_rest(bool maps_are_known, ScanCheck& check);

}  // namespace recon
