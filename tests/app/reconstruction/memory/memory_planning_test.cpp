#include "app/reconstruction/memory/memory_planning.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/reconstruction/reconstruction.hpp"
#include "core/backend/cpu/cpu_backend.hpp"
#include "core/base/error.hpp"
#include "tests/support/memory_limit.hpp"
#include "tests/support/sample_scan.hpp"

namespace recon {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

TEST(MemorySize, ReadsUnitsOfAnyCase) {
    EXPECT_EQ(parse_memory_size("100000"), 100'000);
    EXPECT_EQ(parse_memory_size("500M"), 500'000'000);
    EXPECT_EQ(parse_memory_size("500mb"), 500'000'000);
    EXPECT_EQ(parse_memory_size("2G"), 2'000'000'000);
    EXPECT_EQ(parse_memory_size("1.5 GB"), 1'500'000'000);
    EXPECT_EQ(parse_memory_size("1.5GiB"), 1'610'612'736);
    EXPECT_EQ(parse_memory_size("64KiB"), 65'536);
    EXPECT_EQ(parse_memory_size("1t"), 1'000'000'000'000);
}

TEST(MemorySize, RefusesAnythingElse) {
    for (const char* text : {"", "0", "-1G", "G", "12X", "12 Gx", "nan", "inf", "1e30", "half", "4GG", "2 G 3"}) {
        try {
            parse_memory_size(text);
            ADD_FAILURE() << text;
        } catch (const UsageError& error) {
            EXPECT_THAT(error.what(), AllOf(HasSubstr("`memory_limit`"), HasSubstr("500M"))) << text;
        }
    }
}

class MemoryPlanOfScan : public ::testing::Test {
protected:
    MemoryPlan plan(std::size_t limit) {
        const test::MemoryLimit at_most(*backend_, limit);
        return plan_of_reconstruction(scan_, *backend_, options_);
    }

    std::unique_ptr<Backend> backend_ = make_cpu_backend(2);
    Scan scan_ = test::sample_scan({.matrix = {120, 100, 1}, .coils = 24, .readouts = 200, .samples = 100});
    ReconstructOptions options_;
};

TEST_F(MemoryPlanOfScan, TakesEverythingAtOnceWhereItFits) {
    const MemoryPlan all = plan(MemoryBudget::unlimited);
    EXPECT_EQ(all.kspace, Residency::resident);
    EXPECT_EQ(all.coil_maps, Residency::resident);
    EXPECT_EQ(all.coils_at_once, 24);
    EXPECT_EQ(all.piece_bytes, MemoryBudget::unlimited);
    EXPECT_LE(all.peak_bytes, all.available_bytes);
    EXPECT_THAT(all.text(), AllOf(HasSubstr("expected at the peak ("), ::testing::Not(HasSubstr("stream"))));
    // the maps, k-space and the coil images of a batch at least
    const std::size_t least = 24 * 8 * (2 * 120 * 100 + 200 * 100);
    EXPECT_GT(all.peak_bytes - all.host_bytes, least);
    EXPECT_LT(all.peak_bytes - all.host_bytes, 6 * least);
}

TEST_F(MemoryPlanOfScan, GivesUpFirstWhatCostsLeast) {
    const MemoryPlan all = plan(MemoryBudget::unlimited);
    // The program's own size changes a little from plan to plan.
    const auto limit = [&](double part) {
        const MemoryPlan now = plan(MemoryBudget::unlimited);
        return now.host_bytes + static_cast<std::size_t>(part * static_cast<double>(now.peak_bytes - now.host_bytes));
    };
    const MemoryPlan less = plan(limit(0.8));
    EXPECT_EQ(less.kspace, Residency::streamed);
    EXPECT_LT(less.peak_bytes, all.peak_bytes);
    const MemoryPlan little = plan(limit(0.5));
    EXPECT_EQ(little.kspace, Residency::streamed);
    EXPECT_EQ(little.coil_maps, Residency::streamed);
    EXPECT_LT(little.coils_at_once, 24);
    EXPECT_LE(little.peak_bytes, little.available_bytes);
    EXPECT_THAT(little.text(), AllOf(HasSubstr("k-space streamed"), HasSubstr("coil maps streamed"),
                                     HasSubstr("of 24 coils at a time"), HasSubstr("pieces of")));
}

TEST_F(MemoryPlanOfScan, SaysWhatTheSmallestPiecesNeed) {
    const std::size_t limit = plan(MemoryBudget::unlimited).host_bytes + 100'000;
    try {
        plan(limit);
        FAIL();
    } catch (const DeviceError& error) {
        EXPECT_THAT(error.what(), AllOf(HasSubstr("cpu: the reconstruction needs at least "),
                                        HasSubstr(memory_text(limit) + " is the `memory_limit`"),
                                        HasSubstr("raise `memory_limit`, or reconstruct a smaller `matrix`")));
        EXPECT_EQ(error.kind(), ErrorKind::device);
    }
}

TEST_F(MemoryPlanOfScan, MapsThatAreEstimatedCostTheirRoomOnTheHost) {
    const MemoryPlan given = plan(MemoryBudget::unlimited);
    scan_.coil_maps.clear();
    const MemoryPlan estimated = plan(MemoryBudget::unlimited);
    const std::size_t maps = 24 * 8 * 120 * 100;
    EXPECT_GE(estimated.peak_bytes - estimated.host_bytes, given.peak_bytes - given.host_bytes + maps);
}

TEST_F(MemoryPlanOfScan, KnowsWhatCostsMemory) {
    const auto peak = [&] { return plan(MemoryBudget::unlimited).peak_bytes; };
    const std::size_t plain = peak();
    options_.precision = Precision::double_;
    EXPECT_GT(peak(), plain + 24 * 8 * (120 * 100 + 200 * 100));
    options_.precision = Precision::single;
    scan_.geometry.matrix_size = {240, 200, 1};
    EXPECT_GT(peak(), plain);
}

}  // namespace
}  // namespace recon
