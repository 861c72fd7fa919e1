#include "core/base/threads/startable_threads.hpp"

#include <latch>
#include <list>
#include <system_error>

namespace recon {

int startable_threads(int wanted) {
    std::latch end(1);
    std::list<std::jthread> threads;
    try {
        while (static_cast<int>(threads.size()) + 1 < wanted) {
            threads.emplace_back([&end] { end.wait(); });
        }
    } catch (const std::system_error&) {
    } catch (const std::bad_alloc&) {
    }
    const int count = static_cast<int>(threads.size()) + 1;
    end.count_down();
    return count;
}

std::jthread helper_thread(std::function<void(std::stop_token)> work) {
    try {
        return std::jthread(std::move(work));
    } catch (const std::system_error&) {
        return {};
    }
}

}  // namespace recon
