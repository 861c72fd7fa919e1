#include "app/pipeline/forecast.hpp"

#include <gtest/gtest.h>

#include "core/backend/cpu/cpu_backend.hpp"
#include "core/base/log.hpp"
#include "core/base/log_binding.hpp"

namespace recon {
namespace {

class ForecastTest : public ::testing::Test {
protected:
    std::unique_ptr<Backend> backend_ = make_cpu_backend(1);
};

TEST_F(ForecastTest, IsWhatTheWorkHoldsAtItsPeakAndWhere) {
    const Forecast found = forecast(*backend_, MemoryBudget::unlimited, 1, [](recon::Run& run) {
        const Array outside(run.backend(), {{"n", 1000}}, Precision::single);
        run.stage(Stage::q, [&] { const Array inside(run.backend(), {{"n", 5000}}, Precision::single); });
        run.stage(Stage::solve, [&] { const Array inside(run.backend(), {{"n", 400}}, Precision::single); });
    });
    EXPECT_EQ(found.peak_bytes, 6000 * sizeof(cfloat));
    EXPECT_EQ(found.peak_stage, "q");
    EXPECT_EQ(backend_->memory().in_use(), 0U);
}

TEST_F(ForecastTest, IsMadeAsTheFirstOfTheRanksInItsPieces) {
    forecast(*backend_, 12345, 3, [](recon::Run& run) {
        EXPECT_TRUE(run.is_root());
        EXPECT_EQ(run.ranks().size(), 3);
        EXPECT_EQ(run.ranks().sum(7), 7);
        EXPECT_EQ(share_of(8, run.ranks()).count, 3);
        EXPECT_EQ(run.backend().memory().piece_bytes(), 12345U);
        EXPECT_FALSE(run.backend().computes());
        EXPECT_EQ(run.from_root(Stage::coil_maps, [] { return 4; }), 4);
    });
}

TEST_F(ForecastTest, CountsMemoryOfTheHostWhereItIsTheDevices) {
    const Forecast found = forecast(*backend_, MemoryBudget::unlimited, 1, [](recon::Run& run) {
        const MemoryClaim list = run.backend().claim_on_host(4096);
    });
    EXPECT_EQ(found.peak_bytes, 4096U);
}

TEST_F(ForecastTest, SaysNothing) {
    Log log;
    const LogBinding bound(&log);
    forecast(*backend_, MemoryBudget::unlimited, 1, [](recon::Run&) { log_info("not a word"); });
    log_info("after it");
    EXPECT_EQ(log.history().size(), 1U);
}

TEST_F(ForecastTest, ErrorsOfTheWorkAreItsOwn) {
    EXPECT_THROW(forecast(*backend_, MemoryBudget::unlimited, 1, [](recon::Run&) { throw UsageError("no"); }),
                 UsageError);
}

}  // namespace
}  // namespace recon
