#pragma once

#include <string>
#include <vector>

#include "core/mri/scan.hpp"

namespace recon {

/// Those whose noise acquisitions are zero throughout, though others' or their own k-space may not be; ascending.
std::vector<Index> coils_without_noise(const Scan& scan);

/// For people. @param coils  their numbers
std::string text_of_no_noise(const std::vector<Index>& coils);

/// What is wrong with a scan's noise acquisitions. Coils that measure have noise in theirs; and the outer samples of
/// k-space hold noise and signal, so that acquisitions of over twice their level are of another receiver gain, in
/// another unit, or of fewer averages. How the coils differ they tell all the same.
/// @param first  frame of the scan, in memory. Where processes hold parts of the coils each calls it
/// @return for people; empty: nothing
std::string mistake_of_noise_scan(const Scan& scan, const Frame& first);

/// Why a scan's coils are not to be whitened by its noise acquisitions, as obstacle_to_whitening; coils without noise
/// are no part of it. Empty as well where there are no acquisitions.
std::string obstacle_to_whitening(const Scan& scan);

}  // namespace recon
