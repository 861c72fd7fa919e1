// The table of docs/priors.md: error of the sodium phantom's image for each prior over lambda.
//   bench_priors [matrix [seed]]
// Prints a table, and JSON.
#include <fmt/format.h>

#include <cstdlib>
#include <iostream>
#include <nlohmann/json.hpp>

#include "core/backend/cpu/cpu_backend.hpp"
#include "core/base/log.hpp"
#include "tests/support/sodium_sweep.hpp"

namespace {

using namespace recon;

constexpr std::array<const char*, 3> priors{"identity", "roughness", "anatomical"};

}  // namespace

int main(int argument_count, char** arguments) {
    set_log_level(LogLevel::warning);
    const Index n = argument_count > 1 ? std::atoll(arguments[1]) : 64;
    const std::uint64_t seed = argument_count > 2 ? std::atoll(arguments[2]) : 1;
    const auto backend = make_cpu_backend(0);
    const test::SodiumScan sodium = test::simulate_sodium({.matrix = {n, n, n}, .trajectory = "cones", .seed = seed});
    std::cout << fmt::format("{}^3 voxels, cones, {} samples, SNR 5, seed {}; NRMSE\n\n| lambda |", n,
                             sodium.scan.frames[0].sample_count(), seed);
    std::array<double, 3> best{1e9, 1e9, 1e9};
    nlohmann::json rows = nlohmann::json::array();
    for (const char* name : priors) {
        std::cout << " " << name << " |";
    }
    std::cout << "\n|---|---|---|---|\n";
    for (const double lambda : test::sweep_lambdas(1e-3, 100, 4)) {
        std::cout << fmt::format("| {:.3g} |", lambda);
        nlohmann::json& row = rows.emplace_back(nlohmann::json{{"lambda", lambda}});
        for (std::size_t i = 0; i < priors.size(); ++i) {
            const double nrmse = test::reconstruct_sodium(sodium, *backend, priors[i], lambda).nrmse;
            best[i] = std::min(best[i], nrmse);
            row[priors[i]] = nrmse;
            std::cout << fmt::format(" {:.4f} |", nrmse) << std::flush;
        }
        std::cout << "\n";
    }
    const double ratio = best[2] / std::min(best[0], best[1]);
    std::cout << fmt::format(
        "| best | {:.4f} | {:.4f} | {:.4f} |\n\nanatomical over the better of the others: {:.3f}\n", best[0], best[1],
        best[2], ratio);
    std::cout << nlohmann::json{{"matrix", n},
                                {"seed", seed},
                                {"anatomical_over_better_of_others", ratio},
                                {"rows", rows}}
              << "\n";
}
