#include "app/studies/stone2008/stone_devices.hpp"

#include "app/studies/ladder/climbing.hpp"
#include "core/backend/cpu/cpu_backend.hpp"
#include "core/base/error.hpp"
#include "core/devices/device_choice.hpp"

namespace recon::stone {

StudyDevices::StudyDevices(const std::string& device, int thread_count) : cpu_(make_cpu_backend(thread_count)) {
    for_steps_.cpu = cpu_.get();
    if (device == "cpu") {
        for_steps_.no_gpu = "the device asked for is the CPU";
        return;
    }
    try {
        gpu_ = make_backend(device == "auto" ? "cuda" : device, {.thread_count = thread_count});
        for_steps_.gpus = {gpu_.get()};
    } catch (const BackendUnavailable& unavailable) {
        if (device != "auto") {
            throw;
        }
        for_steps_.no_gpu = unavailable.reason();
    }
}

bool belongs(const ladder::Step& step) {
    return step.place != ladder::Place::gpus && step.wrong.empty() && !step.id.ends_with("-atomic");
}

}  // namespace recon::stone
