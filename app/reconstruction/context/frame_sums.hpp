#pragma once

#include <optional>

#include "app/reconstruction/options/reconstruct_options.hpp"
#include "core/backend/backend.hpp"
#include "core/operators/sampling/fourier_sums_choice.hpp"

namespace recon {

/// How the sums of frames of one length are computed: chosen once, for the forecast of memory and for the work itself.
struct FrameSums {
    Index sample_count = 0;  ///< of all ranks
    SumsChoice image{};      ///< between image and samples
    SumsChoice q{};          ///< for Q
    /// Between image and samples to the tolerance that the noise gives, where that saves time
    /// (docs/accuracy-check.md)
    std::optional<SumsChoice> beside_noise;
    Index segment_count = 0;  ///< time segments of off-resonance in the sums, for the forecast; 0: none
    Index kernel_count = 0;   ///< and of their Toeplitz kernels

    static FrameSums choose(const Backend& backend, const ReconstructOptions& options, PerAxis<Index> matrix_size,
                            Index sample_count, Index coil_count);
};

}  // namespace recon
