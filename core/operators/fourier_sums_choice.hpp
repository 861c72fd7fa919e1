#pragma once

#include <memory>
#include <string>

#include "core/backend.hpp"

namespace recon {

enum class SumsMethod { automatic, exact, nufft };

/// How the sums between samples and voxels shall be computed.
struct SumsOptions {
    SumsMethod method = SumsMethod::automatic;
    double tolerance = 1e-6;  ///< relative L2 error asked of the NUFFT
    Precision precision = Precision::single;
};

/// Which way is cheaper, by predicted cost, and the sentence about it for the log.
struct SumsChoice {
    SumsMethod method;   ///< exact or nufft
    Index sample_count;  ///< of all ranks: a NUFFT is designed for them, however they are divided
    double exact_seconds;
    double nufft_seconds;
    std::string reason;
};

/// @param sample_count  of all ranks  @param transform_count  how many images will be transformed with one plan
SumsChoice choose_sums(const Backend& backend, const SumsOptions& options, Index sample_count, const VoxelGrid& grid,
                       Index transform_count);

/// @param trajectory  of this rank
std::unique_ptr<FourierSums> make_fourier_sums(Backend& backend, const Trajectory& trajectory, const VoxelGrid& grid,
                                               const SumsChoice& choice, const SumsOptions& options);

}  // namespace recon
