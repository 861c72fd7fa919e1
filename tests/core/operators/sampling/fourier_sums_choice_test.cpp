#include "core/operators/sampling/fourier_sums_choice.hpp"

#include <gtest/gtest.h>
#include <omp.h>

#include <set>
#include <string>

#include "core/backend/cpu/cpu_backend.hpp"

namespace recon {
namespace {

/// The image of a scan, to the last digit, does not depend on how many threads there are; nor may how it is summed.
TEST(FourierSumsChoice, IsTheSameForAnyNumberOfThreads) {
    const auto backend = make_cpu_backend(0);
    const int before = omp_get_max_threads();
    std::set<std::string> chosen;
    for (const Index n : {8, 16, 32, 64, 128}) {
        for (const Index nz : {Index{1}, n}) {
            for (const Index samples : {n * nz / 4 + 1, n * n * nz / 4, 2 * n * n * nz}) {
                std::set<std::string> of_site;
                for (const int threads : {1, 2, 7, 16, 128}) {
                    omp_set_num_threads(threads);
                    of_site.emplace(choose_sums(*backend, {}, samples, VoxelGrid::image({n, n, nz}), 8).method.name());
                }
                EXPECT_EQ(of_site.size(), 1U) << n << " " << nz << " " << samples;
                chosen.merge(of_site);
            }
        }
    }
    omp_set_num_threads(before);
    EXPECT_EQ(chosen.size(), 2U) << "there was something to choose";
}

}  // namespace
}  // namespace recon
