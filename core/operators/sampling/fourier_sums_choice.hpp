#pragma once

#include <memory>
#include <optional>
#include <string>

#include "core/backend/backend.hpp"
#include "core/fourier/nufft_design.hpp"

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
    SumsMethod method;                  ///< exact or nufft
    std::optional<NufftDesign> design;  ///< of a NUFFT, for the samples of all ranks, however they are divided
    double exact_seconds;
    double nufft_seconds;
    std::string reason;
};

/// @param sample_count  of all ranks  @param transform_count  how many images will be transformed with one plan
/// @throws UsageError as NufftDesign::best, if a NUFFT is asked for
SumsChoice choose_sums(const Backend& backend, const SumsOptions& options, Index sample_count, const VoxelGrid& grid,
                       Index transform_count);

/// What sums will occupy, for any division into pieces.
class FourierSumsSizes {
public:
    /// @param sample_count  of this rank
    FourierSumsSizes(const Backend& backend, const SumsChoice& choice, const SumsOptions& options,
                     const VoxelGrid& grid, Index sample_count);

    /// @param image_count  transformed in one call, @param piece_bytes  as MemoryBudget::piece_bytes
    PlanBytes bytes(Index image_count, std::size_t piece_bytes) const;

private:
    const Backend& backend_;
    Precision precision_;
    VoxelGrid grid_;
    Index sample_count_;
    std::optional<NufftDesign> design_;  ///< none for exact sums
};

/// @param trajectory  of this rank
std::unique_ptr<FourierSums> make_fourier_sums(Backend& backend, const Trajectory& trajectory, const VoxelGrid& grid,
                                               const SumsChoice& choice, const SumsOptions& options);

}  // namespace recon
