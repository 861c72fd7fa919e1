#include <gtest/gtest.h>

#include <ctime>

#include "app/reconstruction/reconstruction.hpp"
#include "core/backend/cpu/cpu_backend.hpp"
#include "core/base/error.hpp"

namespace recon {
namespace {

TEST(ForecastOfLargeScan, TakesNoTimeAndNoMemory) {
    Scan scan;
    scan.geometry.matrix_size = {256, 256, 192};
    scan.coil_count = 1;
    auto trajectory = std::make_shared<Trajectory>();
    for (std::vector<double>& k : trajectory->k) {
        k.assign(1'000'000, 0.25);
    }
    scan.frames.emplace_back();
    scan.frames.front().trajectory = trajectory;
    scan.frames.front().read_kspace = [] { return std::vector<cfloat>(1'000'000); };
    ReconstructOptions options;
    const auto backend = make_cpu_backend(1);
    using Lambdas = std::vector<std::string>;
    for (const auto& [prior, lambdas] : {std::pair{"none", Lambdas{}}, {"scan", Lambdas{}}, {"tv", Lambdas{"1e-2"}}}) {
        options.regularisation = parse_regularisation({prior}, lambdas);
        backend->memory().restart_peak();
        const std::clock_t start = std::clock();
        std::size_t forecast_bytes = 0;
        try {
            forecast_bytes = plan_of_reconstruction(scan, *backend, options).peak_bytes;
        } catch (const DeviceError&) {  // of all ways none fits this machine
            forecast_bytes = MemoryBudget::unlimited;
        }
        EXPECT_GT(forecast_bytes, std::size_t{2'000'000'000});  // Q on the doubled grid in double precision
        const double processor_s = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
        constexpr double far_too_long_s = 0.5;
        EXPECT_LT(processor_s, far_too_long_s) << prior;
        EXPECT_EQ(backend->memory().peak(), backend->memory().in_use());
        EXPECT_TRUE(scan.frames.front().kspace.empty());
    }
}

}  // namespace
}  // namespace recon
