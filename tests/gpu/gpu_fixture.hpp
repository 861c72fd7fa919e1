#pragma once

#include <gtest/gtest.h>

#include "core/base/error.hpp"
#include "gpu/backend/gpu_backend.hpp"

namespace recon::test {

/// Gives a test the first GPU, or skips it with the reason why there is none.
template <class Base = ::testing::Test>
class OnGpu : public Base {
protected:
    void SetUp() override {
        try {
            gpu_ = make_cuda_backend(0);
        } catch (const BackendUnavailable& unavailable) {
            GTEST_SKIP() << unavailable.what();
        }
    }
    Backend& gpu() { return *gpu_; }

private:
    std::unique_ptr<Backend> gpu_;
};

}  // namespace recon::test
