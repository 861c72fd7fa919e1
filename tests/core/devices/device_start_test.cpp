#include "core/devices/device_start.hpp"

#include <gmock/gmock.h>

#include <chrono>
#include <memory>
#include <thread>
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

std::weak_ptr<int>& begun_there() {
    static std::weak_ptr<int> begun;
    return begun;
}

const Registration slow_registered(backend_kinds(),
                                   BackendKind{.name = "slow",
                                               .preference = -2,
                                               .device_count = [] { return 2; },
                                               .make = [](std::span<const int>, const BackendSettings&) -> Team {
                                                   throw BackendUnavailable("not for work");
                                               },
                                               .start = [](std::span<const int> ordinals) -> std::shared_ptr<void> {
                                                   started().assign(ordinals.begin(), ordinals.end());
                                                   const auto begun = std::make_shared<int>();
                                                   begun_there() = begun;
                                                   return begun;
                                               }});

const Registration smoky_registered(backend_kinds(),
                                    BackendKind{.name = "smoky",
                                                .preference = -3,
                                                .device_count = []() -> int { throw BackendUnavailable("none"); },
                                                .make = [](std::span<const int>, const BackendSettings&) -> Team {
                                                    throw BackendUnavailable("not for work");
                                                },
                                                .start = [](std::span<const int>) -> std::shared_ptr<void> {
                                                    throw DeviceError("smoke");
                                                }});

TEST(DeviceStart, TheDevicesNamedAreStartedByTheTimeItEnds) {
    { const DeviceStart start("slow:1,0"); }
    EXPECT_THAT(started(), ElementsAre(1, 0));
    { const DeviceStart start("slow:all"); }
    EXPECT_THAT(started(), ElementsAre(0, 1));
}

TEST(DeviceStart, WhatIsBegunIsKeptUntilItEnds) {
    using namespace std::chrono_literals;
    {
        const DeviceStart start("slow:1");
        for (int i = 0; i < 1000 && begun_there().expired(); ++i) {
            std::this_thread::sleep_for(10ms);
        }
        std::this_thread::sleep_for(10ms);  // its thread has nothing left to do
        EXPECT_FALSE(begun_there().expired());
    }
    EXPECT_TRUE(begun_there().expired());
}

TEST(DeviceStart, WhatGoesWrongIsLeftToWhoeverMakesTheBackend) {
    for (const char* device : {"smoky", "smoky:all", "no such device", "", "cpu", "auto"}) {
        EXPECT_NO_THROW(DeviceStart start(device)) << device;
    }
}

}  // namespace
}  // namespace recon
