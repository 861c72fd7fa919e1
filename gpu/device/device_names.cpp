#include "gpu/device/device_names.hpp"

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <map>
#include <mutex>

namespace recon {
namespace {

struct DeviceNames {
    std::mutex mutex;
    std::map<int, std::string> of_ordinal;
};

DeviceNames& device_names() {
    static DeviceNames names;
    return names;
}

}  // namespace

void name_device(int ordinal, const std::string& name) {
    DeviceNames& names = device_names();
    const std::lock_guard lock(names.mutex);
    names.of_ordinal[ordinal] = name;
}

std::string name_of_current_device() {
    int current = 0;
    const bool is_known = cudaGetDevice(&current) == cudaSuccess;
    DeviceNames& names = device_names();
    const std::lock_guard lock(names.mutex);
    std::string text;
    for (const auto& [ordinal, name] : names.of_ordinal) {
        if (!is_known || ordinal == current) {
            text += fmt::format("{}cuda:{} ({})", text.empty() ? "" : " or ", ordinal, name);
        }
    }
    return text.empty() ? "cuda" : text;
}

}  // namespace recon
