#pragma once

#include <memory>
#include <string>

#include "core/operators/sampling/sampling_kind.hpp"

namespace recon {

/// Which way to sum is the cheapest, by predicted cost, and the sentence about it for the log.
struct SumsChoice {
    SumsMethod method = SumsMethod::automatic;  ///< never automatic once chosen
    std::shared_ptr<const SamplingDesign> design;
    double seconds = 0;  ///< predicted
    std::string reason;
};

/// Of the registered ways that are accurate enough the fastest, or the one that is asked for.
/// @param sample_count  of all ranks  @param transform_count  how many images will be transformed with one plan
/// @throws UsageError if the way that is asked for cannot be as accurate as that
SumsChoice choose_sums(const Backend& backend, const SumsOptions& options, Index sample_count, const VoxelGrid& grid,
                       Index transform_count);

/// What sums will occupy, for any division into pieces.
class FourierSumsSizes {
public:
    /// @param sample_count  of this rank
    FourierSumsSizes(const Backend& backend, const SumsChoice& choice, Index sample_count)
        : backend_(backend), design_(choice.design), sample_count_(sample_count) {}

    /// @param image_count  transformed in one call, @param piece_bytes  as MemoryBudget::piece_bytes
    PlanBytes bytes(Index image_count, std::size_t piece_bytes) const {
        return design_->bytes(backend_, sample_count_, image_count, piece_bytes);
    }

private:
    const Backend& backend_;
    std::shared_ptr<const SamplingDesign> design_;
    Index sample_count_;
};

/// @param trajectory  of this rank
std::unique_ptr<FourierSums> make_fourier_sums(Backend& backend, const Trajectory& trajectory,
                                               const SumsChoice& choice);

}  // namespace recon
