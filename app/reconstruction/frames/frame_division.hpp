#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "app/pipeline/run_control.hpp"
#include "app/reconstruction/options/reconstruct_options.hpp"
#include "core/mri/scan.hpp"
#include "core/parallel/rank_groups.hpp"

namespace recon {

/// How processes divide the frames of a series, and the coils of frames: as the options say, else by the time that is
/// predicted for the frames of the busiest, as long as the memory of a rank suffices. (docs/mpi.md)
/// @param scan  before its coils are held in parts  @param bytes_of_rank  of memory that each process may use
/// @param partial  images of a run that is stopped are not kept of groups: they cannot part and send them
/// @throws UsageError if frames are to be divided that a prior ties together, or groups cannot be formed
RankGroups divide_ranks(const Scan& scan, int rank_count, const ReconstructOptions& options, std::size_t bytes_of_rank,
                        PartialImage partial);

/// For people.
std::string text_of_division(const RankGroups& groups, const Scan& scan);

/// The frames of each group of ranks, so that all are done about at once: consecutive ones in the order of the work
/// (order_of_work), so that those on one trajectory stay together. Group 0 has the first frame of the scan.
std::vector<std::vector<std::size_t>> frames_of_groups(const Scan& scan, const RankGroups& groups);

/// Gives back the memory of frames that are not of this process, where they can be read again.
void release_others(Scan& scan, const std::vector<std::size_t>& own);

/// The number of the frame of a slice that is reconstructed first, by whichever process.
std::size_t first_of_slice(const Scan& scan, Index slice);

}  // namespace recon
