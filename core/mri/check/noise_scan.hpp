#pragma once

#include <string>

#include "core/mri/scan.hpp"

namespace recon {

/// What is wrong with the level of a scan's noise acquisitions: the outer samples of k-space hold noise and signal, so
/// that acquisitions of over twice their level are of another receiver gain, in another unit, or of fewer averages. How
/// the coils differ they tell all the same.
/// @param first  frame of the scan, in memory. Where processes hold parts of the coils each calls it
/// @return for people; empty: nothing
std::string mistake_of_noise_scan(const Scan& scan, const Frame& first);

}  // namespace recon
