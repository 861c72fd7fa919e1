#pragma once

#include "app/reconstruction/check/scan_check.hpp"

namespace recon {

/// Adds what the trials of a check say to its findings, and settles its verdict.
/// @param maps_are_known  the probe has several coils, and maps that were measured apart
void judge_readings(bool maps_are_known, ScanCheck& check);

}  // namespace recon
