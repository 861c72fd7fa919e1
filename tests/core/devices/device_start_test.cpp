#include "core/devices/device_start.hpp"

#include <gmock/gmock.h>

#include <vector>

#include "core/base/error.hpp"
#include "core/devices/backend_kind.hpp"

namespace recon {
namespace {

using ::testing::ElementsAre;

std::vector<int>& started() {
    static std::vector<int> ordinals;
    return ordinals;
}

const Registration slow_registered(
    backend_kinds(),
    BackendKind{
        .name = "slow",
        .preference = -2,
        .device_count = [] { return 2; },
        .make = [](std::span<const int>, const BackendSettings&) -> Team { throw BackendUnavailable("not for work"); },
        .start = [](std::span<const int> ordinals) { started().assign(ordinals.begin(), ordinals.end()); }});

const Registration smoky_registered(backend_kinds(),
                                    BackendKind{.name = "smoky",
                                                .preference = -3,
                                                .device_count = []() -> int { throw BackendUnavailable("none"); },
                                                .make = [](std::span<const int>, const BackendSettings&) -> Team {
                                                    throw BackendUnavailable("not for work");
                                                },
                                                .start = [](std::span<const int>) { throw DeviceError("smoke"); }});

TEST(DeviceStart, TheDevicesNamedAreStartedByTheTimeItEnds) {
    { const DeviceStart start("slow:1,0"); }
    EXPECT_THAT(started(), ElementsAre(1, 0));
    { const DeviceStart start("slow:all"); }
    EXPECT_THAT(started(), ElementsAre(0, 1));
}

TEST(DeviceStart, WhatGoesWrongIsLeftToWhoeverMakesTheBackend) {
    for (const char* device : {"smoky", "smoky:all", "no such device", "", "cpu", "auto"}) {
        EXPECT_NO_THROW(DeviceStart start(device)) << device;
    }
}

}  // namespace
}  // namespace recon
