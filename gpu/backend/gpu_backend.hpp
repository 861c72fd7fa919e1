#pragma once

#include <memory>

#include "core/backend/backend.hpp"

namespace recon {

/// The CUDA backend on device `ordinal`. @throws BackendUnavailable if it was not compiled in, or there is no such
/// device
std::unique_ptr<Backend> make_cuda_backend(int ordinal);

}  // namespace recon
