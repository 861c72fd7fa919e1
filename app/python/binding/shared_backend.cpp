#include "app/python/binding/shared_backend.hpp"

#include <map>

#include "core/base/parse_number.hpp"
#include "core/devices/device_choice.hpp"
#include "gpu/device/foreign_queues.hpp"

namespace recon {

std::shared_ptr<SharedBackend> shared_backend(const std::string& name, int thread_count) {
    static std::mutex guard;
    static std::map<std::pair<std::string, int>, std::weak_ptr<SharedBackend>> known;
    const std::lock_guard lock(guard);
    std::weak_ptr<SharedBackend>& place = known[{name, thread_count}];
    if (auto there = place.lock()) {
        return there;
    }
    constexpr int host = 1, cuda = 2;
    auto made = std::make_shared<SharedBackend>();
    made->backend = make_backend(name, {.thread_count = thread_count});
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
