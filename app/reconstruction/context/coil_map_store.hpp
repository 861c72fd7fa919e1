#pragma once

#include <map>
#include <vector>

#include "core/base/memory_budget.hpp"
#include "core/base/named_array.hpp"
#include "core/base/types.hpp"

namespace recon {

/// Coil maps that were estimated, for all ranks: those of a slice serve all of its frames.
///
/// The first rank adds to it between two meetings of the ranks; the others only look.
class CoilMapStore {
public:
    bool has(Index slice) const { return maps_.contains(slice); }
    /// @param maps  [x y z coil]  @param claim  on the memory they take
    void add(Index slice, std::vector<cfloat> maps, MemoryClaim claim) {
        maps_[slice] = {std::move(maps), std::move(claim)};
    }
    const std::vector<cfloat>& of(Index slice) const { return maps_.at(slice).maps; }
    std::vector<cfloat>& of(Index slice) { return maps_.at(slice).maps; }
    /// Hands them over.
    std::vector<cfloat> take(Index slice) {
        std::vector<cfloat> maps = std::move(maps_.at(slice).maps);
        maps_.erase(slice);
        return maps;
    }

private:
    struct Entry {
        std::vector<cfloat> maps;
        MemoryClaim claim;
    };
    std::map<Index, Entry> maps_;
};

}  // namespace recon
