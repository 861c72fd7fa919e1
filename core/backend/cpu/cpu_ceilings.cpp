#include "core/backend/cpu/cpu_ceilings.hpp"

#include <omp.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <vector>

#include "core/backend/cpu/simd/aligned_vector.hpp"
#include "core/backend/cpu/simd/simd_product.hpp"

namespace recon {
namespace {

template <class Function>
double shortest_seconds(Function&& function) {
    double shortest = 1e30;
    for (int run = 0; run < 5; ++run) {
        const auto start = std::chrono::steady_clock::now();
        function();
        shortest = std::min(shortest, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    return shortest;
}

double copy_bytes_per_s() {
    const std::size_t size = std::size_t{1} << 27;
    std::vector<float> from(size, 1.0F);
    std::vector<float> to(size);
    const double seconds = shortest_seconds([&] {
#pragma omp parallel
        {
            const std::size_t piece = size / omp_get_num_threads();
            const std::size_t first = piece * omp_get_thread_num();
            std::memcpy(to.data() + first, from.data() + first, piece * sizeof(float));
        }
    });
    return 2.0 * static_cast<double>(size * sizeof(float)) / seconds;
}

/// Products of matrices that stay in the nearest cache, in each thread.
double product_flops() {
    constexpr Index depth = 128;
    constexpr int lanes = lane_count<float>;
    constexpr int products = 1 << 15;
    const int thread_count = omp_get_max_threads();
    const AlignedVector<float> a(depth * 2 * lanes, 1.0F);
    const AlignedVector<float> b(depth * simd::most_columns, 1.0F);
    constexpr int apart = std::max<int>(2 * lanes, AlignedVector<float>::allocator_type::line / sizeof(float));
    AlignedVector<float> results(thread_count * apart);
    const double seconds = shortest_seconds([&] {
#pragma omp parallel
        {
            float* const sums = results.data() + omp_get_thread_num() * apart;
            for (int i = 0; i < products; ++i) {
                simd::product<simd::most_columns>(
                    depth, a.data(), b.data(),
                    [&](int, const simd::Pack<float>& real, const simd::Pack<float>& imaginary) {
                        simd::at(sums) += real;
                        simd::at(sums + lanes) += imaginary;
                    });
            }
        }
    });
    return 4.0 * depth * lanes * simd::most_columns * products * thread_count / seconds;
}

}  // namespace

namespace RECON_CPU_LEVEL {
DeviceCeilings measure_cpu_ceilings() {
    return {.copy_bytes_per_s = copy_bytes_per_s(), .fp32_flops = product_flops()};
}
}  // namespace RECON_CPU_LEVEL

}  // namespace recon
