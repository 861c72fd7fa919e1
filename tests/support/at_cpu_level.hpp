#pragma once

#include <gtest/gtest.h>

#include "core/processor/cpu_level.hpp"

namespace recon::test {

/// A test at each level of the processor, skipped on one below it.
class AtCpuLevel : public ::testing::TestWithParam<CpuLevel> {
protected:
    void SetUp() override {
        limit_cpu_level(GetParam());
        if (cpu_level() != GetParam()) {
            GTEST_SKIP() << "this processor is below " << name_of(GetParam());
        }
    }
    void TearDown() override { limit_cpu_level(CpuLevel::v4); }
};

inline auto every_cpu_level() { return ::testing::Values(CpuLevel::base, CpuLevel::v3, CpuLevel::v4); }

}  // namespace recon::test
