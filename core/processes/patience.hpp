#pragma once

#include <sched.h>

#include <chrono>
#include <thread>

namespace recon {

/// What to do between two looks at something that is to come: nothing at first, for messages take microseconds; then
/// other threads may run; after some milliseconds sleep, for others compute.
class Patience {
public:
    void pause() {
        constexpr int spins = 2'000;
        constexpr int yields = 4'000;
        ++count_;
        if (count_ > spins + yields) {
            std::this_thread::sleep_for(std::chrono::microseconds(100));
        } else if (count_ > spins) {
            sched_yield();
        }
    }

private:
    int count_ = 0;
};

}  // namespace recon
