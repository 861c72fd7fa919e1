#include "core/backend/cpu/cpu_ceilings.hpp"

#include <omp.h>

#include <Eigen/Core>
#include <algorithm>
#include <chrono>
#include <cstring>
#include <vector>

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

/// One product of square matrices in each thread.
double product_flops() {
    constexpr int n = 512;
    constexpr int products = 16;
    const int thread_count = omp_get_max_threads();
    const Eigen::MatrixXf a = Eigen::MatrixXf::Random(n, n);
    std::vector<Eigen::MatrixXf> results(thread_count, Eigen::MatrixXf::Zero(n, n));
    const double seconds = shortest_seconds([&] {
#pragma omp parallel
        for (int i = 0; i < products; ++i) {
            results[omp_get_thread_num()].noalias() += a * a;
        }
    });
    return 2.0 * n * n * n * products * thread_count / seconds;
}

}  // namespace

DeviceCeilings measure_cpu_ceilings() {
    return {.copy_bytes_per_s = copy_bytes_per_s(), .fp32_flops = product_flops()};
}

}  // namespace recon
