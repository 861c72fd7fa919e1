#include <Eigen/Core>

#include "core/backend/cpu/cpu_backend.hpp"
#include "core/backend/cpu/cpu_ceilings.hpp"

namespace recon {

// Null where the program is compiled for one level alone.
namespace cpu_v3 {
[[gnu::weak]] MakeCpuBackend make_cpu_backend;
[[gnu::weak]] MeasureCpuCeilings measure_cpu_ceilings;
}  // namespace cpu_v3
namespace cpu_v4 {
[[gnu::weak]] MakeCpuBackend make_cpu_backend;
[[gnu::weak]] MeasureCpuCeilings measure_cpu_ceilings;
}  // namespace cpu_v4

std::unique_ptr<Backend> make_cpu_backend(int thread_count) {
    // Who calls Eigen divides the work; here, as a level's setting is its own, and once, as ranks come at the same
    // time.
    [[maybe_unused]] static const bool is_set = (Eigen::setNbThreads(1), true);
    return at_cpu_level(&cpu_base::make_cpu_backend, &cpu_v3::make_cpu_backend,
                        &cpu_v4::make_cpu_backend)(thread_count);
}

DeviceCeilings measure_cpu_ceilings() {
    return at_cpu_level(&cpu_base::measure_cpu_ceilings, &cpu_v3::measure_cpu_ceilings,
                        &cpu_v4::measure_cpu_ceilings)();
}

}  // namespace recon
