#pragma once

#include <string>

#include "core/heart/excitation.hpp"
#include "core/processes/process_group.hpp"

namespace recon {

/// How ranks divide a sheet: one below the other, and beside each other.
struct RankGeometry {
    int rows = 1;
    int columns = 1;

    std::string text() const { return std::to_string(rows) + "x" + std::to_string(columns); }
};

/// As near to a square as so many ranks allow; no fewer rows than columns.
RankGeometry near_square(int rank_count);

struct RankedSetup {
    RankGeometry geometry = {};
    Index halo = 1;            ///< cells of the neighbours that a rank has: messages go every so many steps
    bool communicates = true;  ///< else no messages: what the steps take by themselves, with wrong numbers
};

/// A sheet of which each rank steps a rectangle: while the rims are on their way to the neighbours, eight at most, it
/// makes the step of what needs none of theirs. The same bytes as make_cpu_excitation, in any geometry with any halo.
/// Every rank calls every function alike; `state` is that of the sheet on rank 0, and empty elsewhere.
/// @param group  outlives it
/// @throws UsageError if the geometry is not that of the ranks, a rank's rectangle is smaller than the halo, or the
/// tissue differs from cell to cell
std::unique_ptr<Excitation> make_ranked_excitation(ProcessGroup& group, const ExcitationSetup& setup,
                                                   const RankedSetup& ranked);

}  // namespace recon
