#include "app/cli/shell/thread_waiting.hpp"

#include <omp.h>

#include <latch>
#include <system_error>
#include <thread>

#include "core/base/threads/startable_threads.hpp"

namespace recon {

void let_waiting_threads_sleep() {
    const int wanted = omp_get_max_threads();
    const int startable = startable_threads(wanted + 2);  // the team below and the one of the work
    if (startable < wanted + 2) {
        omp_set_num_threads(std::max(1, std::min(wanted, startable - 2)));
        return;
    }
    std::latch started(1);
    try {
        std::thread([&started] {
#pragma omp parallel num_threads(2)
#pragma omp single
            started.count_down();
            std::latch(1).wait();  // the team lives as long as this thread, which is until the program ends
        }).detach();
    } catch (const std::system_error&) {  // refused all the same
        return;
    }
    started.wait();
}

}  // namespace recon
