#include "app/studies/bench/bench.hpp"

#include <algorithm>
#include <chrono>

namespace recon {

Timing time_of(Backend& backend, const std::function<void()>& work) {
    constexpr int round_count = 7;
    constexpr double round_s = 0.02;
    const auto seconds_of_calls = [&](int calls) {
        const auto start = std::chrono::steady_clock::now();
        for (int call = 0; call < calls; ++call) {
            work();
        }
        backend.synchronize();
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / calls;
    };
    seconds_of_calls(1);
    const int calls = std::clamp(static_cast<int>(round_s / seconds_of_calls(1)), 1, 200);
    std::vector<double> seconds(round_count);
    std::generate(seconds.begin(), seconds.end(), [&] { return seconds_of_calls(calls); });
    std::sort(seconds.begin(), seconds.end());
    const double median = seconds[round_count / 2];
    return {median, (seconds[round_count - 2] - seconds[1]) / (2 * median)};
}

double relative_l2(ConstArrayView values, ConstArrayView reference) {
    Backend& backend = reference.backend();
    Array difference(backend, reference.shape(), reference.precision());
    backend.copy(values, difference);
    backend.axpby(-1, reference, 1, difference);
    return norm(difference) / norm(reference);
}

}  // namespace recon
