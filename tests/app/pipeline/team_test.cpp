#include "app/pipeline/team.hpp"

#include <gtest/gtest.h>

#include "core/base/error.hpp"
#include "tests/support/cpu_team.hpp"
#include "tests/support/error_matchers.hpp"

namespace recon {
namespace {

TEST(Team, OneDeviceIsOneRank) {
    for (const std::string device : {"cpu", "auto"}) {
        const Team team = make_team(device, 1);
        ASSERT_EQ(team.backends.size(), 1U);
        ASSERT_EQ(team.ranks.size(), 1U);
        EXPECT_EQ(team.ranks.front()->size(), 1);
        EXPECT_EQ(&team.backend_of(*team.ranks.front()), &team.first());
        EXPECT_EQ(team.name(), team.first().name());
    }
}

TEST(Team, EveryRankHasItsOwnBackend) {
    const Team team = test::cpu_team(3);
    EXPECT_NE(&team.backend_of(*team.ranks[0]), &team.backend_of(*team.ranks[2]));
    EXPECT_EQ(&team.backend_of(*team.ranks[1]), team.backends[1].get());
}

TEST(Team, ADeviceNamedTwiceIsRefused) {
    test::expect_error<UsageError>([] { make_team("cuda:0,2,0", 1); }, {"cuda:0,2,0", "cuda:0 twice"});
}

TEST(Team, WhatIsNoListOfDevicesIsRefusedWithTheFormsThereAre) {
    for (const std::string device :
         {"cuda:", "cuda:,", "cuda:0,", "cuda:,1", "cuda:0,,1", "cuda:0;1", "cuda:0,x", "cuda:-1", "cuda:0,-1",
          "cuda:0, 1", "cuda:99999999999999", "cpu:0,1", "toaster", "cuda:ALL"}) {
        test::expect_error<UsageError>([&] { make_team(device, 1); },
                                       {"--device " + device + ":", "cuda:M,N", "cuda:all"});
    }
}

TEST(Team, ADeviceThatIsNotThereIsUnavailable) { EXPECT_THROW(make_team("cuda:0,99", 1), BackendUnavailable); }

}  // namespace
}  // namespace recon
