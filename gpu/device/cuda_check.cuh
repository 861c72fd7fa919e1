#pragma once

#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <cufft.h>

#include <source_location>

namespace recon {

/// Every CUDA, cuBLAS and cuFFT call goes through `check`. @throws DeviceError with device, source line and reason
void check(cudaError_t status, std::source_location where = std::source_location::current());
void check(cublasStatus_t status, std::source_location where = std::source_location::current());
void check(cufftResult status, std::source_location where = std::source_location::current());

/// After every kernel launch: reports a launch that was refused.
inline void check_launch(std::source_location where = std::source_location::current()) {
    check(cudaGetLastError(), where);
}

/// For destructors, which must not throw: a line in the log instead.
void warn(cudaError_t status) noexcept;
void warn(cublasStatus_t status) noexcept;
void warn(cufftResult status) noexcept;

}  // namespace recon
