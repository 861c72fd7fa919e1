#include "gpu/device/cuda_check.cuh"

#include <filesystem>
#include <string>

#include "core/base/log.hpp"
#include "gpu/device/device_failure.hpp"
#include "gpu/device/device_names.hpp"

namespace recon {
namespace {

std::string text_of(cudaError_t status) {
    return fmt::format("{} ({})", cudaGetErrorString(status), cudaGetErrorName(status));
}
std::string text_of(cublasStatus_t status) {
    return fmt::format("{} ({})", cublasGetStatusString(status), cublasGetStatusName(status));
}
std::string text_of(cufftResult status) {
    switch (status) {
        case CUFFT_ALLOC_FAILED: return "cuFFT found no memory for its plan (CUFFT_ALLOC_FAILED)";
        case CUFFT_INVALID_SIZE: return "cuFFT does not take this size (CUFFT_INVALID_SIZE)";
        case CUFFT_EXEC_FAILED: return "cuFFT failed to execute a transform (CUFFT_EXEC_FAILED)";
        case CUFFT_SETUP_FAILED: return "cuFFT failed to start (CUFFT_SETUP_FAILED)";
        default: return fmt::format("cuFFT error {}", static_cast<int>(status));
    }
}

template <class Status>
void check_status(Status status, Status success, std::source_location where) {
    if (status == success) {
        return;
    }
    throw error_of_device(name_of_current_device(),
                          fmt::format("{}, at {}:{}", text_of(status),
                                      std::filesystem::path(where.file_name()).filename().string(), where.line()));
}

template <class Status>
void warn_of(Status status, Status success) noexcept {
    if (status == success || device_has_failed()) {  // which is said by who needs it
        return;
    }
    try {
        log_warning("{}: {} while releasing a resource", name_of_current_device(), text_of(status));
    } catch (...) {  // no memory even for the message: nothing is left to do in a destructor
    }
}

}  // namespace

void check(cudaError_t status, std::source_location where) { check_status(status, cudaSuccess, where); }
void check(cublasStatus_t status, std::source_location where) { check_status(status, CUBLAS_STATUS_SUCCESS, where); }
void check(cufftResult status, std::source_location where) { check_status(status, CUFFT_SUCCESS, where); }

void warn(cudaError_t status) noexcept {
    if (status != cudaErrorCudartUnloading) {  // the process is ending and has taken the resource with it
        warn_of(status, cudaSuccess);
    }
}
void warn(cublasStatus_t status) noexcept { warn_of(status, CUBLAS_STATUS_SUCCESS); }
void warn(cufftResult status) noexcept { warn_of(status, CUFFT_SUCCESS); }

}  // namespace recon
