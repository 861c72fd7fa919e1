#pragma once

#include <memory>
#include <mutex>
#include <string>

#include "core/backend/backend.hpp"

namespace recon {

/// A backend that operators of one process share, as its arrays may. Calls come one after the other: hold `mutex`,
/// without Python's lock, around all that computes. Arrays may be made and released at any time.
struct SharedBackend {
    std::unique_ptr<Backend> backend;
    std::mutex mutex;
    int device_type = 0;  ///< of DLPack: 1 host, 2 CUDA
    int device_id = 0;
};

/// The one of that name and number of threads. @throws as make_backend
std::shared_ptr<SharedBackend> shared_backend(const std::string& name, int thread_count);

/// Waits for what other libraries have queued on the backend's device: their queues are not ours.
void wait_for_others(const SharedBackend& shared);

}  // namespace recon
