#include "gpu/nccl/nccl_connection.cuh"

#include <chrono>
#include <exception>
#include <utility>

namespace recon {

NcclConnection::NcclConnection(std::vector<int> ordinals, Outlives outlives)
    : ordinals_(std::move(ordinals)), outlives_(outlives), handles_(std::async([devices = ordinals_] {
          std::vector<ncclComm_t> connected(devices.size());
          check_nccl(ncclCommInitAll(connected.data(), static_cast<int>(devices.size()), devices.data()), nullptr,
                     "connecting the GPUs");
          Handles handles;
          for (const ncclComm_t handle : connected) {
              handles.push_back(std::make_unique<NcclHandle>(handle));
          }
          return handles;
      })) {}

NcclConnection::~NcclConnection() {
    if (outlives_ == Outlives::nothing) {
        return;
    }
    try {
        for (const auto& handle : handles_.get()) {
            handle->leave();
        }
    } catch (const std::exception&) {  // there is nothing to leave
    }
}

void NcclConnection::require_no_failure() const {
    if (handles_.wait_for(std::chrono::seconds(0)) == std::future_status::ready) {
        handles_.get();
    }
}

void NcclConnection::abort() noexcept {
    try {
        for (const auto& handle : handles_.get()) {
            handle->abort();
        }
    } catch (const std::exception&) {  // there is nothing to abort
    }
}

}  // namespace recon
