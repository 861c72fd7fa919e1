#pragma once

#include <string>

namespace recon {

/// What messages call a device, which cannot be asked once it has failed.
void name_device(int ordinal, const std::string& name);

/// "cuda:0 (NVIDIA H200)": that of the current device, or where CUDA does not tell which it is all that were named.
std::string name_of_current_device();

}  // namespace recon
