#pragma once

#include <map>
#include <vector>

#include "app/pipeline/run.hpp"
#include "core/mri/scan.hpp"

namespace recon {

/// The order in which frames are reconstructed: those on one trajectory (then: with the same weights, the same sample
/// times, the same field map) one after the other, so that what follows from it is computed once and kept no longer
/// than needed.
/// @return numbers of the frames, each once; frames that share nothing stay in their order
std::vector<std::size_t> order_of_work(const Scan& scan);

/// Puts the k-space of a frame into memory, for all ranks. Rank 0 reads it. Every rank calls it.
/// @throws InputError if k-space cannot be read or is not sound
void load_for_all(Frame& frame, Run& run);

/// Gives the memory back once no rank needs it any more. Every rank calls it.
void release_by_all(Frame& frame, Communicator& ranks);

/// Whether the first frame can be in memory beside what is there. If not, the plan of memory will say so.
bool first_frame_fits(const Scan& scan);

/// Bytes that k-space on demand will take beyond what of it is in memory now, buffers of its reading included.
/// @param at_once  frames that are in memory at a time
std::size_t kspace_bytes_to_load(const Scan& scan, Index at_once);

/// Numbers of the frames of each slice.
std::map<Index, std::vector<std::size_t>> frames_of_slices(const Scan& scan);
/// The most frames that a slice of the scan has: so many are in memory at a time where they are solved for at once.
Index most_frames_of_a_slice(const Scan& scan);

}  // namespace recon
