#pragma once

#include <algorithm>
#include <chrono>
#include <ctime>
#include <limits>

namespace recon::benchmark {

/// On a machine that others use, one thread is timed better by the processor time that it got.
inline bool count_processor_time = false;

/// Seconds that one call of `function` takes.
template <class Function>
double seconds_of(const Function& function) {
    if (count_processor_time) {
        const std::clock_t start = std::clock();
        function();
        return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    }
    const auto start = std::chrono::steady_clock::now();
    function();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Shortest of the runs that fit into `budget_s` (three at least): the one that other processes disturbed least.
template <class Function>
double shortest_seconds_of(const Function& function, double budget_s) {
    double shortest = std::numeric_limits<double>::infinity(), spent = 0;
    for (int run = 0; run < 3 || spent < budget_s; ++run) {
        const double seconds = seconds_of(function);
        shortest = std::min(shortest, seconds);
        spent += seconds;
    }
    return shortest;
}

}  // namespace recon::benchmark
