// How a sheet is cut into strips for devices, and strips into rows of tiles.
#include "core/heart/sheet_strips.hpp"

#include <gtest/gtest.h>

#include "core/base/error.hpp"
#include "tests/support/error_matchers.hpp"

namespace recon {
namespace {

/// Calls `visit(size, halo, strips)` for awkward sizes and numbers of strips.
template <class Visit>
void for_each_division(Visit&& visit) {
    for (const Index size : {2, 3, 7, 33, 40, 41, 97, 128, 515, 8192}) {
        for (const Index count : {1, 2, 3, 5, 8}) {
            for (const Index halo : {1, 4, 6, 12}) {
                if (count == 1 || size / count >= halo) {
                    visit(size, halo, sheet_strips(size, count, halo));
                }
            }
        }
    }
}

TEST(SheetStrips, OwnEveryRowOnceAndAreAsEqualAsTheyCanBe) {
    for_each_division([](Index size, Index, const std::vector<SheetStrip>& strips) {
        Index next = 0;
        for (const SheetStrip& strip : strips) {
            EXPECT_EQ(strip.first_row, next);
            EXPECT_LE(std::abs(strip.rows() - strips.front().rows()), 1);
            next = strip.end_row;
        }
        EXPECT_EQ(next, size);
    });
}

TEST(SheetStrips, GetTheirHaloFromTheirNeighboursAlone) {
    for_each_division([](Index size, Index halo, const std::vector<SheetStrip>& strips) {
        for (std::size_t i = 0; i < strips.size(); ++i) {
            const SheetStrip& strip = strips[i];
            EXPECT_EQ(strip.stored_first, std::max<Index>(strip.first_row - halo, 0));
            EXPECT_EQ(strip.stored_end, std::min(strip.end_row + halo, size));
            EXPECT_EQ(strip.has_one_above(), i > 0);
            EXPECT_EQ(strip.has_one_below(), i + 1 < strips.size());
            for (std::size_t other = 0; other < strips.size(); ++other) {
                const SharedRows rows = shared_rows(strips[other], strip);
                if (other + 1 == i) {
                    EXPECT_EQ(rows.first_row, strip.stored_first);
                    EXPECT_EQ(rows.row_count, strip.first_row - strip.stored_first);
                } else if (other == i + 1) {
                    EXPECT_EQ(rows.first_row, strip.end_row);
                    EXPECT_EQ(rows.row_count, strip.stored_end - strip.end_row);
                } else if (other != i) {
                    EXPECT_EQ(rows.row_count, 0);
                }
            }
        }
    });
}

TEST(SheetStrips, ThinnerThanTheirHaloAreRefused) {
    test::expect_error<UsageError>([] { sheet_strips(7, 2, 4); }, {"7 rows for 2 devices", "at least the 4", "`size`"});
    EXPECT_EQ(sheet_strips(8, 2, 4).size(), 2U);
    EXPECT_EQ(sheet_strips(2, 1, 16).size(), 1U);
}

TEST(StripTiles, AtTheRimsOwnWhatNeighboursKeepAndTheOthersNeedNothingOfTheirs) {
    for_each_division([](Index, Index halo, const std::vector<SheetStrip>& strips) {
        const int most_rows = 48 - 2 * static_cast<int>(halo);
        for (const SheetStrip& strip : strips) {
            const StripTiles tiles = strip_tiles(strip, most_rows);
            std::vector<int> is_rim(tiles.count, -1);
            for (const bool rim : {true, false}) {
                const TileRows& rows = rim ? tiles.rims : tiles.inner;
                for (int i = 0; i < rows.count; ++i) {
                    int& tile = is_rim.at(rows.first + i * rows.stride);
                    EXPECT_EQ(tile, -1) << "stepped twice";
                    tile = rim ? 1 : 0;
                }
            }
            EXPECT_EQ(tiles.rims.count > 0, strip.has_one_above() || strip.has_one_below());
            const auto local = [&](Index row) { return static_cast<int>(row - strip.stored_first); };
            int next = local(strip.first_row);
            for (int tile = 0; tile < tiles.count; ++tile) {
                ASSERT_NE(is_rim[tile], -1) << "not stepped";
                const auto span = TileSpan::of(tile, tiles.count, local(strip.first_row), local(strip.end_row),
                                               static_cast<int>(strip.stored_rows()), static_cast<int>(halo));
                EXPECT_EQ(span.begin, next);
                EXPECT_LE(span.end - span.begin, most_rows);
                next = span.end;
                if (is_rim[tile] == 0) {
                    EXPECT_GE(span.halo_begin, local(strip.first_row));
                    EXPECT_LE(span.halo_end, local(strip.end_row));
                    EXPECT_FALSE(strip.has_one_above() && span.begin < local(strip.first_row + halo));
                    EXPECT_FALSE(strip.has_one_below() && span.end > local(strip.end_row - halo));
                }
            }
            EXPECT_EQ(next, local(strip.end_row));
        }
    });
}

}  // namespace
}  // namespace recon
