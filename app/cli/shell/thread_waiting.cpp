#include "app/cli/shell/thread_waiting.hpp"

#include <latch>
#include <thread>

namespace recon {

void let_waiting_threads_sleep() {
    std::latch started(1);
    std::thread([&started] {
#pragma omp parallel num_threads(2)
#pragma omp single
        started.count_down();
        std::latch(1).wait();  // the team lives as long as this thread, which is until the program ends
    }).detach();
    started.wait();
}

}  // namespace recon
