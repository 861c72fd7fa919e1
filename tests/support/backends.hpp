#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <ostream>
#include <string>

#include "core/backend/cpu/cpu_backend.hpp"
#include "core/base/error.hpp"
#include "gpu/backend/gpu_backend.hpp"

namespace recon::test {

/// A backend that this machine can run, for tests that hold on every one of them.
struct BackendFactory {
    std::string name;
    std::unique_ptr<Backend> (*make)();

    friend std::ostream& operator<<(std::ostream& out, const BackendFactory& factory) { return out << factory.name; }
};

/// The CPU, and the first GPU where there is one.
inline std::vector<BackendFactory> available_backends() {
    std::vector<BackendFactory> backends{{"cpu", [] { return make_cpu_backend(0); }}};
    try {
        make_cuda_backend(0);
        backends.push_back({"cuda", [] { return make_cuda_backend(0); }});
    } catch (const BackendUnavailable&) {
        // The tests in tests/gpu say so, and why.
    }
    return backends;
}

/// Base of tests that run on every backend: TEST_P(Suite, ...), and INSTANTIATE_TEST_SUITE_P with `every_backend()`.
class EveryBackend : public ::testing::TestWithParam<BackendFactory> {
protected:
    std::unique_ptr<Backend> backend_ = GetParam().make();
};

inline auto every_backend() { return ::testing::ValuesIn(available_backends()); }

inline std::string backend_name(const ::testing::TestParamInfo<BackendFactory>& info) { return info.param.name; }

}  // namespace recon::test
