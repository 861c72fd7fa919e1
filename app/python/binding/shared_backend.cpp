#include "app/python/binding/shared_backend.hpp"

#include <omp.h>
#include <pthread.h>

#include <atomic>
#include <map>

#include "core/base/parse_number.hpp"
#include "core/devices/device_choice.hpp"
#include "gpu/device/foreign_queues.hpp"

namespace recon {
namespace {

std::atomic<bool> was_forked = false;

void watch_for_forks() {
    static const int watched = pthread_atfork(nullptr, nullptr, [] { was_forked = true; });
    static_cast<void>(watched);
}

}  // namespace

Turn::Turn(SharedBackend& shared) : one_at_a_time_(shared.mutex), threads_before_(omp_get_max_threads()) {
    omp_set_num_threads(was_forked ? 1 : shared.thread_count);
}

Turn::~Turn() { omp_set_num_threads(threads_before_); }

std::shared_ptr<SharedBackend> shared_backend(const std::string& name, int thread_count) {
    watch_for_forks();
    if (was_forked) {
        thread_count = 1;
    }
    static std::mutex guard;
    static std::map<std::pair<std::string, int>, std::weak_ptr<SharedBackend>> known;
    const std::lock_guard lock(guard);
    std::weak_ptr<SharedBackend>& place = known[{name, thread_count}];
    if (auto there = place.lock()) {
        return there;
    }
    constexpr int host = 1, cuda = 2;
    auto made = std::make_shared<SharedBackend>();
    const int threads_before = omp_get_max_threads();
    made->backend = make_backend(name, {.thread_count = thread_count});
    made->thread_count = omp_get_max_threads();
    omp_set_num_threads(threads_before);
    made->device_type = made->backend->memory_is_host() ? host : cuda;
    const std::string device = made->backend->name();
    made->device_id = parse_number<int>(std::string_view(device).substr(device.find(':') + 1)).value_or(0);
    place = made;
    return made;
}

void wait_for_others(const SharedBackend& shared) {
    if (!shared.backend->memory_is_host()) {
        wait_for_foreign_queues(shared.device_id);
    }
}

}  // namespace recon
