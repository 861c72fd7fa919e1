#pragma once

#include <memory>
#include <span>

namespace recon {

/// How many CUDA devices there are, at least one. @throws BackendUnavailable if the backend was not compiled in, or
/// there is none that it could use
int cuda_device_count();

/// Loads the driver and makes the contexts of these devices, which the process then has, whichever thread uses them.
/// Then it loads the largest files of machine code that a reconstruction runs on one device, which takes tens of ms
/// more; several it connects meanwhile. Nothing happens without the backend, or where a device cannot be used.
/// @return what keeps the connection until a team takes it
std::shared_ptr<void> start_cuda_devices(std::span<const int> ordinals);

}  // namespace recon
