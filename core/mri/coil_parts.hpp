#pragma once

#include <span>
#include <vector>

#include "core/mri/scan.hpp"
#include "core/parallel/communicator.hpp"

namespace recon {

/// Which coils of a scan a process holds, k-space and maps, and with whom it has them all. (docs/mpi.md)
struct CoilParts {
    Share own;
    Communicator& ranks;
};

/// Those of a scan that one process holds are all coils, and itself.
CoilParts parts_of(const Scan& scan);

/// How many coils k-space and maps of the scan are of, as they lie in memory.
Index coils_held(const Scan& scan);

/// Whether some coils of it can be read without the others.
bool can_be_held_in_parts(const Scan& scan);

/// From here on this rank holds and reads its share of the coils: nothing is in memory before a frame is loaded, but
/// the maps. A scan of fewer coils than ranks is read whole, by hold_all. Every rank calls it.
/// @param scan  that can_be_held_in_parts, as read_scan gives it with KspaceReading::in_parts
void hold_part(Scan& scan, Communicator& ranks);

/// As read_scan gives a scan else: maps in memory, and k-space of the only frame; coils are no longer read by
/// themselves, so that what is done from here on may be to all of them together.
void hold_all(Scan& scan);
/// The same with k-space of all frames in memory: the file is let go of.
void load_all(Scan& scan);

/// Leaves coils out of a scan that is held in parts, which are shared out again.
/// @param dropped  ascending; not all
void drop_coils_of_parts(Scan& scan, const std::vector<Index>& dropped);

/// The coils of a scan that is held in parts become others, coil i sum_j matrix[i, j] coil j: each rank reads all of
/// them, one share at a time, and keeps its own.
/// @param matrix  [new coil, coil], column-major
void mix_coils_of_parts(Scan& scan, const std::vector<cdouble>& matrix);

}  // namespace recon
