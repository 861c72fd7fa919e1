#pragma once

#include <vector>

#include "core/base/types.hpp"

namespace recon {

/// Rows of a sheet that one of several devices steps forward, the next strip below it. It keeps `halo` rows of its
/// neighbours as well, where the sheet goes on: enough for so many steps between two exchanges.
struct SheetStrip {
    Index first_row, end_row;        ///< its own
    Index stored_first, stored_end;  ///< with the halo

    Index rows() const { return end_row - first_row; }
    Index stored_rows() const { return stored_end - stored_first; }
    bool has_one_above() const { return stored_first < first_row; }
    bool has_one_below() const { return end_row < stored_end; }
};

/// Strips whose numbers of rows differ by one at most.
/// @throws UsageError if one of several has fewer rows than the halo, which would come from more than its neighbours
std::vector<SheetStrip> sheet_strips(Index size, Index strip_count, Index halo);

/// Rows that one strip owns and another keeps.
struct SharedRows {
    Index first_row, row_count;
};
SharedRows shared_rows(const SheetStrip& owner, const SheetStrip& keeper);

/// The part [begin, end) of an axis that a tile is responsible for, with the halo around it that the axis has.
struct TileSpan {
    int begin, end, halo_begin, halo_end;

    /// @param first, last_end  what tiles are responsible for, [first, last_end) of an axis [0, size)
    static constexpr TileSpan of(int tile, int tile_count, int first, int last_end, int size, int halo) {
        TileSpan span{};
        span.begin = first + static_cast<int>(static_cast<Index>(tile) * (last_end - first) / tile_count);
        span.end = first + static_cast<int>(static_cast<Index>(tile + 1) * (last_end - first) / tile_count);
        span.halo_begin = span.begin > halo ? span.begin - halo : 0;
        span.halo_end = span.end + halo < size ? span.end + halo : size;
        return span;
    }
    static constexpr TileSpan of(int tile, int tile_count, int size, int halo) {
        return of(tile, tile_count, 0, size, size, halo);
    }
    constexpr bool owns(int i) const { return i >= begin && i < end; }
    constexpr int extent() const { return halo_end - halo_begin; }
};

/// Rows of tiles that are stepped together: the first, and every `stride`-th after it.
struct TileRows {
    int first = 0, stride = 1, count = 0;
};

/// The rows of tiles of a strip. Those at a rim own all that a neighbour keeps; the others read nothing that a
/// neighbour owns.
struct StripTiles {
    int count = 0;
    TileRows rims, inner;
};

/// @param most_rows  of a tile; at least twice the halo where there are neighbours
StripTiles strip_tiles(const SheetStrip& strip, int most_rows);

}  // namespace recon
