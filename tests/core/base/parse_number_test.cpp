#include "core/base/parse_number.hpp"

#include <gtest/gtest.h>

namespace recon {
namespace {

TEST(ParseNumber, TakesTheWholeTextOrNothing) {
    EXPECT_EQ(parse_number<Index>("42"), 42);
    EXPECT_EQ(parse_number<Index>("-3"), -3);
    EXPECT_EQ(parse_number<double>("1e-3"), 1e-3);
    for (const char* text : {"", " 1", "1 ", "1x", "0x10", "99999999999999999999"}) {
        EXPECT_FALSE(parse_number<Index>(text)) << text;
    }
    EXPECT_FALSE(parse_number<double>("1e999"));
}

TEST(ParseNumber, RangesAreOneNumberOrTwoInOrder) {
    EXPECT_EQ(parse_index_range("5"), std::pair(Index{5}, Index{5}));
    EXPECT_EQ(parse_index_range("2-7"), std::pair(Index{2}, Index{7}));
    for (const char* text : {"", "-", "-2", "7-2", "2-", "2-3-4", "a"}) {
        EXPECT_FALSE(parse_index_range(text)) << text;
    }
}

TEST(ParseNumber, ValuesFollowTheirKey) {
    EXPECT_EQ(value_after("samples", "samples=8"), "8");
    EXPECT_EQ(value_after("samples", "samples="), "");
    EXPECT_FALSE(value_after("samples", "samples"));
    EXPECT_FALSE(value_after("samples", "sample=8"));
}

}  // namespace
}  // namespace recon
