#pragma once

#include <omp.h>

#include <chrono>
#include <future>
#include <system_error>
#include <thread>

#include "core/base/cancel.hpp"

namespace recon {

/// Does what is deep in a library for long, and cannot look at the token there: in a thread of its own, which is left
/// alone when a stop is due. It then computes for nobody, until it has done or the program ends.
///
/// @param work  owns all that it touches, as it may outlive its caller; on one thread. Where the system refuses a
/// thread it is done here, and a stop waits for it
/// @throws Cancelled, and what `work` throws
template <class Work>
auto until_cancelled(Work work) {
    using Result = decltype(work());
    constexpr std::chrono::milliseconds patience(20);
    std::packaged_task<Result()> task([work = std::move(work)]() mutable {
        omp_set_num_threads(1);  // of this thread alone: it would begin a team of its own
        return work();
    });
    std::future<Result> result = task.get_future();
    const CancelToken& cancel = cancel_of_this_thread();
    try {
        std::thread(std::move(task)).detach();
    } catch (const std::system_error&) {
        const int before = omp_get_max_threads();
        task();
        omp_set_num_threads(before);
    }
    while (result.wait_for(patience) != std::future_status::ready) {
        cancel.check();
    }
    return result.get();
}

}  // namespace recon
