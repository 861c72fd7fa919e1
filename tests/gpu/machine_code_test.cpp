#include "gpu/device/machine_code.hpp"

#include <gtest/gtest.h>

namespace recon {
namespace {

TEST(MachineCode, RunsOnGpusOfItsMajorNumberThatAreNoOlder) {
    ASSERT_FALSE(built_capabilities().empty());
    for (const int capability : built_capabilities()) {
        EXPECT_TRUE(has_machine_code_for(capability / 10, capability % 10)) << capability;
        EXPECT_TRUE(has_machine_code_for(capability / 10, capability % 10 + 1)) << capability;
    }
    EXPECT_FALSE(has_machine_code_for(built_capabilities().back() / 10 + 1, 0));
    EXPECT_FALSE(has_machine_code_for(7, 5));
}

TEST(MachineCode, IsToldAsTheDriverDoes) {
    const int first = built_capabilities().front();
    EXPECT_EQ(text_of_built_capabilities().substr(0, 3), std::to_string(first / 10) + "." + std::to_string(first % 10));
}

}  // namespace
}  // namespace recon
