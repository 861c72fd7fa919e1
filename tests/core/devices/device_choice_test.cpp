#include "core/devices/device_choice.hpp"

#include <gmock/gmock.h>

#include "core/backend/cpu/cpu_backend.hpp"
#include "core/base/error.hpp"
#include "tests/support/cpu_team.hpp"
#include "tests/support/error_matchers.hpp"

namespace recon {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// A backend of one's own: this file is all that it takes.
const Registration toy_registered(backend_kinds(),
                                  BackendKind{.name = "toy",
                                              .preference = -1,
                                              .device_count = [] { return 3; },
                                              .make =
                                                  [](std::span<const int> ordinals, const BackendSettings&) {
                                                      return test::cpu_team(static_cast<int>(ordinals.size()));
                                                  }});

TEST(DeviceChoice, ABackendThatRegisteredItselfIsFoundByItsName) {
    EXPECT_EQ(parse_devices("toy").kind->name, "toy");
    EXPECT_THAT(parse_devices("toy").ordinals, ElementsAre(0));
    EXPECT_THAT(parse_devices("toy:2").ordinals, ElementsAre(2));
    EXPECT_THAT(parse_devices("toy:2,0").ordinals, ElementsAre(2, 0));
    EXPECT_THAT(parse_devices("toy:all").ordinals, ElementsAre(0, 1, 2));
    EXPECT_EQ(make_team("toy:all").ranks.size(), 3U);
    EXPECT_EQ(make_backend("toy:1")->name(), "cpu");
    EXPECT_EQ(make_backends("toy:2,0").size(), 2U);
    EXPECT_EQ(make_backends("toy:2").size(), 1U);
    EXPECT_EQ(make_backends("auto").size(), 1U);
}

TEST(DeviceChoice, AutomaticallyTheToyIsLeftAlone) {
    EXPECT_EQ(parse_devices("auto").kind, nullptr);
    EXPECT_EQ(make_team("auto").ranks.size(), 1U);
}

TEST(DeviceChoice, AllKindsAreNamedToWhoNamesNone) {
    test::expect_error<UsageError>([] { parse_devices("toaster"); },
                                   {"`device` toaster:", "auto, cpu, cuda,", "toy:M,N or toy:all"});
}

TEST(DeviceChoice, OneBackendIsNotSeveral) {
    test::expect_error<UsageError>([] { make_backend("toy:0,1"); }, {"toy:0,1", "several"});
}

TEST(Team, OneDeviceIsOneRank) {
    for (const std::string device : {"cpu", "auto"}) {
        const Team team = make_team(device, {.thread_count = 1});
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

TEST(DeviceChoice, ADeviceNamedTwiceIsRefused) {
    test::expect_error<UsageError>([] { make_team("cuda:0,2,0"); }, {"cuda:0,2,0", "cuda:0 twice"});
}

TEST(DeviceChoice, WhatIsNoListOfDevicesIsRefusedWithTheFormsThereAre) {
    for (const std::string device :
         {"cuda:", "cuda:,", "cuda:0,", "cuda:,1", "cuda:0,,1", "cuda:0;1", "cuda:0,x", "cuda:-1", "cuda:0,-1",
          "cuda:0, 1", "cuda:99999999999999", "cpu:0,1", "toaster", "cuda:ALL", ""}) {
        test::expect_error<UsageError>([&] { make_team(device); }, {"`device` " + device + ":", "cuda:M,N", "cuda:all"});
    }
}

TEST(DeviceChoice, ADeviceThatIsNotThereIsUnavailable) { EXPECT_THROW(make_team("cuda:0,99"), BackendUnavailable); }

}  // namespace
}  // namespace recon
