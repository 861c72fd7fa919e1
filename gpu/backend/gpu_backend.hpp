#pragma once

#include <memory>

#include "core/backend/backend.hpp"

namespace recon {

/// The CUDA backend on device `ordinal`. @throws BackendUnavailable if it was not compiled in, or there is no such
/// device
std::unique_ptr<Backend> make_cuda_backend(int ordinal);

/// How many devices there are, at least one. @throws BackendUnavailable as above
int cuda_device_count();

}  // namespace recon
