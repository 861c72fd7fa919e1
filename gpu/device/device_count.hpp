#pragma once

namespace recon {

/// How many CUDA devices there are, at least one. @throws BackendUnavailable if the backend was not compiled in, or
/// there is none that it could use
int cuda_device_count();

}  // namespace recon
