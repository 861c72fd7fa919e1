#pragma once

#include "app/reconstruction/options/reconstruct_options.hpp"
#include "core/backend/backend.hpp"

namespace recon {

/// What a prior of the scan (app/reconstruction/scan_prior/scan_prior.hpp) takes beside the normal product; nothing
/// without one.
struct ScanPriorBytes {
    std::size_t held = 0;     ///< white noise, the sample of the error, the terms
    std::size_t making = 0;   ///< while its preconditioner is made
    std::size_t solving = 0;  ///< by a solution
    std::size_t drawing = 0;  ///< by a draw of noise, beside the sums
    std::size_t host = 0;
};

/// @param sample_count  of this rank  @param coils_at_once  of a batch
ScanPriorBytes scan_prior_bytes(const Backend& backend, const ReconstructOptions& options, PerAxis<Index> matrix_size,
                                Index sample_count, Index coils_at_once, std::size_t piece_bytes);

}  // namespace recon
