#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <mutex>
#include <string>

#include "core/backend/backend.hpp"
#include "gpu/device/current_device.hpp"

namespace recon {

/// A backend that operators of one process share, as its arrays may. Calls come one after the other, each in its Turn.
/// Arrays may be made and released at any time.
struct SharedBackend {
    std::unique_ptr<Backend> backend;
    std::mutex mutex;
    int thread_count = 1;  ///< of the host
    int device_type = 0;   ///< of DLPack: 1 host, 2 CUDA
    int device_id = 0;
};

/// What a call that computes holds: the backend, without Python's lock, and its number of threads, which OpenMP would
/// keep for each of Python's threads by itself.
class Turn {
public:
    explicit Turn(SharedBackend& shared);
    ~Turn();
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

private:
    nanobind::gil_scoped_release others_may_run_;
    std::lock_guard<std::mutex> one_at_a_time_;
    CurrentDeviceStays stays_;
    int threads_before_;
};

/// The one of that name and number of threads. A process that was forked computes on one thread: those of OpenMP stay
/// behind, and a team would wait for them for ever. @throws as make_backend
std::shared_ptr<SharedBackend> shared_backend(const std::string& name, int thread_count);

/// Waits for what other libraries have queued on the backend's device: their queues are not ours.
void wait_for_others(const SharedBackend& shared);

}  // namespace recon
