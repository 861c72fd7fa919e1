#include "gpu/heart/heart_step.hpp"

namespace recon::heart {

std::string Step::obstacle(const Devices& devices) const {
    if (!impossible.empty()) {
        return impossible;
    }
    if (place != Place::cpu && devices.gpus.empty()) {
        return devices.no_gpu;
    }
    return place == Place::gpus && devices.gpus.size() == 1 ? "needs several GPUs, found one" : std::string();
}

std::vector<Step> all_steps() {
    std::vector<Step> steps = cpu_steps();
    for (Step& step : gpu_steps()) {
        steps.push_back(std::move(step));
    }
    return steps;
}

}  // namespace recon::heart
