#pragma once

#include <memory>
#include <string>

#include "core/backend/backend.hpp"

namespace recon {

/// "auto" (a GPU where there is one, else the CPU, with the reason in the log), "cpu", "cuda" or "cuda:N".
/// @param thread_count  for the CPU; 0 means all cores
/// @throws UsageError for any other name, BackendUnavailable if the device is not there
std::unique_ptr<Backend> make_backend(const std::string& device, int thread_count);

}  // namespace recon
