#pragma once

#include <span>

namespace recon {

/// How many CUDA devices there are, at least one. @throws BackendUnavailable if the backend was not compiled in, or
/// there is none that it could use
int cuda_device_count();

/// Loads the driver and makes the contexts of these devices, which the process then has, whichever thread uses them.
/// Nothing happens without the backend, or where a device cannot be used.
void start_cuda_devices(std::span<const int> ordinals);

}  // namespace recon
