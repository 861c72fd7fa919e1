#include "app/studies/bench/bench_comparison.hpp"

#include <gtest/gtest.h>

namespace recon {
namespace {

BenchRow row_of(double seconds, double noise) {
    return {.work = "work", .size = "size", .seconds = seconds, .noise = noise};
}

std::size_t slower_count(const BenchRow& before, const BenchRow& now) {
    return slower_lines(bench_changes({.device = "cpu", .rows = {before}}, {now})).size();
}

TEST(BenchComparison, SlowerIsWhatExceedsTheNoiseAndATenth) {
    EXPECT_EQ(slower_count(row_of(1, 0.01), row_of(1.09, 0.01)), 0u);
    EXPECT_EQ(slower_count(row_of(1, 0.01), row_of(1.11, 0.01)), 1u);
    EXPECT_EQ(slower_count(row_of(1, 0.06), row_of(1.2, 0.06)), 0u);  // 3 sqrt(2) 0.06 = 0.25
    EXPECT_EQ(slower_count(row_of(1, 0.06), row_of(1.3, 0.06)), 1u);
    EXPECT_EQ(slower_count(row_of(1, 0.01), row_of(0.1, 0.01)), 0u);
}

TEST(BenchComparison, WhatWasMeasuredOnceIsSlowerByAHalf) {
    EXPECT_EQ(slower_count(row_of(1, 0), row_of(1.4, 0)), 0u);
    EXPECT_EQ(slower_count(row_of(1, 0), row_of(1.6, 0)), 1u);
    EXPECT_EQ(slower_count(row_of(1, 0), row_of(1.4, 0.01)), 0u);
}

TEST(BenchComparison, LinesOfOneTableAloneAreLeftOut) {
    BenchRow other = row_of(1, 0);
    other.size = "another";
    EXPECT_TRUE(bench_changes({.device = "cpu", .rows = {other}}, {row_of(2, 0)}).empty());
}

}  // namespace
}  // namespace recon
