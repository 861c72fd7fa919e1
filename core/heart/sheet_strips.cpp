#include "core/heart/sheet_strips.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/error.hpp"
#include "core/parallel/share.hpp"

namespace recon {

std::vector<SheetStrip> sheet_strips(Index size, Index strip_count, Index halo) {
    if (strip_count > 1 && size / strip_count < halo) {
        throw UsageError(
            fmt::format("`size`: {} rows for {} devices are {} each, expected at least the {} that neighbours keep of "
                        "each other; name fewer with `device`",
                        size, strip_count, size / strip_count, halo));
    }
    std::vector<SheetStrip> strips;
    for (Index strip = 0; strip < strip_count; ++strip) {
        const Share rows = share_of(size, static_cast<int>(strip), static_cast<int>(strip_count));
        const Index first = rows.first, end = rows.first + rows.count;
        strips.push_back({first, end, std::max<Index>(first - halo, 0), std::min(end + halo, size)});
    }
    return strips;
}

SharedRows shared_rows(const SheetStrip& owner, const SheetStrip& keeper) {
    const Index first = std::max(owner.first_row, keeper.stored_first);
    return {first, std::max<Index>(std::min(owner.end_row, keeper.stored_end) - first, 0)};
}

StripTiles strip_tiles(const SheetStrip& strip, int most_rows) {
    StripTiles tiles;
    tiles.count = static_cast<int>((strip.rows() + most_rows - 1) / most_rows);
    const int above = strip.has_one_above() ? 1 : 0, below = strip.has_one_below() ? 1 : 0;
    const int last = tiles.count - 1;
    tiles.rims = {
        .first = above ? 0 : last, .stride = std::max(last, 1), .count = std::min(above + below, tiles.count)};
    tiles.inner = {.first = above, .stride = 1, .count = tiles.count - tiles.rims.count};
    return tiles;
}

}  // namespace recon
