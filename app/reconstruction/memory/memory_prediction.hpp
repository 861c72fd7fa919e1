#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "app/reconstruction/coils/coil_estimation.hpp"
#include "app/reconstruction/context/frame_sums.hpp"
#include "app/reconstruction/context/memory_plan.hpp"
#include "app/reconstruction/memory/prior_memory.hpp"
#include "app/reconstruction/options/reconstruct_options.hpp"
#include "core/backend/backend.hpp"
#include "core/mri/scan.hpp"

namespace recon {

/// What a reconstruction will occupy, stage by stage, for any division into pieces: the course of
/// app/reconstruction/reconstruction.cpp and app/reconstruction/problem/trajectory_plans.cpp, with sizes in the place
/// of arrays.
class MemoryPrediction {
public:
    /// @param rank_count  devices that divide the work as Division does; this is the largest share
    MemoryPrediction(const Scan& scan, const Backend& backend, const ReconstructOptions& options, Index rank_count);

    /// In the backend's memory; `host_bytes` included where that is the host's.
    std::vector<MemoryStage> stages(const MemoryPieces& pieces) const;
    /// The program, the scan and the images of all frames.
    std::size_t host_bytes() const { return host_bytes_; }
    /// What of it is there already.
    std::size_t held_bytes() const { return held_bytes_; }

    /// Of the largest frame.
    const FrameSums& sums() const { return frame_sums_; }

    bool has_coil_maps() const { return estimation_ || given_coil_maps_; }
    Index coil_count() const { return coil_count_; }
    Index coils_at_once(const MemoryPieces& pieces) const;
    Index streamed_coils_at_once(const MemoryPieces& pieces) const;

private:
    Index frames_at_once_ = 1;        ///< that are solved for together
    Index trajectories_at_once_ = 1;  ///< of these frames
    const Backend& backend_;
    const ReconstructOptions& options_;
    PerAxis<Index> matrix_size_;
    Index whole_sample_count_ = 0;  ///< of all ranks
    Index sample_count_ = 0;
    Index q_sample_count_ = 0;
    Index coil_count_;
    bool copies_map_;  ///< more ranks than coils: the normal product takes one coil of them
    bool given_coil_maps_;
    std::optional<CoilEstimation> estimation_;
    std::size_t estimated_maps_bytes_ = 0;  ///< of all slices, on the host
    bool given_density_ = true;
    FrameSums frame_sums_;
    std::optional<FourierSumsSizes> sums_;
    std::optional<FourierSumsSizes> q_sums_;
    Index sums_segments_ = 0;      ///< of off-resonance; 0: none
    Index toeplitz_segments_ = 0;  ///< likewise
    bool exact_off_resonance_ = false;
    PriorMemory prior_memory_;
    std::size_t held_bytes_;
    std::size_t host_bytes_;
};

}  // namespace recon
