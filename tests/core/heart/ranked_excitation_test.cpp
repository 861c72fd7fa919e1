// A sheet that ranks divide, with threads that share nothing in their place: the bytes of one process.
#include <gtest/gtest.h>

#include <thread>

#include "core/base/error.hpp"
#include "core/heart/cpu_excitation.hpp"
#include "core/heart/ranked_excitation.hpp"
#include "tests/support/error_matchers.hpp"
#include "tests/support/loopback_transport.hpp"

namespace recon {
namespace {

ExcitationSetup sheet_of(Index size, Precision precision) {
    ExcitationSetup setup;
    setup.size = size;
    setup.precision = precision;
    setup.time_step = setup.model.stable_time_step(size);
    return setup;
}

void on_each_rank(int size, const std::function<void(ProcessGroup&)>& work) {
    const auto groups = test::make_loopback_groups(size);
    std::vector<std::jthread> threads;
    for (const auto& group : groups) {
        threads.emplace_back([&, &group = *group] {
            work(group);
            group.end({}, [](const std::string& line) { ADD_FAILURE() << line; });
        });
    }
}

TEST(RankedExcitation, InAnyGeometryHasTheBytesOfOneProcess) {
    constexpr Index size = 37;
    for (const Precision precision : {Precision::double_, Precision::single}) {
        const ExcitationSetup setup = sheet_of(size, precision);
        const auto alone = make_cpu_excitation(setup, 1);
        alone->advance(61);
        const ExcitationState halfway = alone->state();
        alone->advance(30);
        const ExcitationState expected = alone->state();
        for (const RankGeometry& geometry : {RankGeometry{1, 1}, {2, 1}, {1, 3}, {2, 2}, {5, 1}, {3, 2}, {3, 3}}) {
            for (const Index halo : {1, 2, 5}) {
                on_each_rank(geometry.rows * geometry.columns, [&](ProcessGroup& group) {
                    const auto sheet = make_ranked_excitation(group, setup, {geometry, halo});
                    sheet->advance(7);
                    sheet->advance(54);
                    const ExcitationState found_halfway = sheet->state();
                    sheet->advance(30);
                    const ExcitationState found = sheet->state();
                    sheet->set_state(halfway);
                    sheet->advance(30);
                    const ExcitationState again = sheet->state();
                    if (group.rank() == 0) {
                        EXPECT_EQ(found_halfway.excitation, halfway.excitation) << geometry.text() << " " << halo;
                        EXPECT_EQ(found.excitation, expected.excitation) << geometry.text() << " " << halo;
                        EXPECT_EQ(found.recovery, expected.recovery) << geometry.text() << " " << halo;
                        EXPECT_EQ(again.excitation, expected.excitation) << geometry.text() << " " << halo;
                    } else {
                        EXPECT_TRUE(found.excitation.empty());
                    }
                });
            }
        }
    }
}

TEST(RankedExcitation, WithoutMessagesIsAnotherSheet) {
    const ExcitationSetup setup = sheet_of(24, Precision::double_);
    const auto alone = make_cpu_excitation(setup, 1);
    alone->advance(40);
    on_each_rank(2, [&](ProcessGroup& group) {
        const auto sheet = make_ranked_excitation(group, setup, {.geometry = {2, 1}, .halo = 1, .communicates = false});
        sheet->advance(40);
        const ExcitationState found = sheet->state();
        EXPECT_TRUE(group.rank() != 0 || found.excitation != alone->state().excitation);
    });
}

TEST(RankedExcitation, GeometriesAreNearlySquareAndThoseThatCannotBeAreRefused) {
    EXPECT_EQ(near_square(1).text(), "1x1");
    EXPECT_EQ(near_square(7).text(), "7x1");
    EXPECT_EQ(near_square(12).text(), "4x3");
    EXPECT_EQ(near_square(32).text(), "8x4");
    on_each_rank(4, [&](ProcessGroup& group) {
        const ExcitationSetup setup = sheet_of(12, Precision::double_);
        test::expect_error<UsageError>(
            [&] {
                make_ranked_excitation(group, setup, {{3, 1}});
            },
            {"3x1", "3 ranks, but 4 were started"});
        test::expect_error<UsageError>([&] { make_ranked_excitation(group, setup, {{4, 1}, 5}); }, {"3 cells", "5"});
        test::expect_error<UsageError>(
            [&] {
                make_ranked_excitation(group, setup, {{4, 1}, 0});
            },
            {"`halo` of 0", "at least one"});
    });
}

}  // namespace
}  // namespace recon
