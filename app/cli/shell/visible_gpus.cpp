#include "app/cli/shell/visible_gpus.hpp"

#include <cstdlib>

namespace recon {

void show_no_more_gpus_than_needed(const std::string& device) {
    if (device != "auto" && device != "cuda" && device != "cuda:0") {
        return;
    }
    const char* const visible = std::getenv("CUDA_VISIBLE_DEVICES");
    const std::string names = visible != nullptr ? visible : "0";
    setenv("CUDA_VISIBLE_DEVICES", names.substr(0, names.find(',')).c_str(), 1);
}

}  // namespace recon
