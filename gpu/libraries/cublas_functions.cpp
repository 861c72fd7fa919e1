#include <cublas_v2.h>
#include <cuda_runtime_api.h>

#include "gpu/libraries/lazy_library.hpp"

// The functions of cuBLAS that recon calls, under their own names, as its header declares them (LazyLibrary).

namespace {

using Gemm = cublasStatus_t(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int, const void*,
                            const void*, cudaDataType, int, const void*, cudaDataType, int, const void*, void*,
                            cudaDataType, int, cublasComputeType_t, cublasGemmAlgo_t);

recon::LazyLibrary& cublas() {
    static recon::LazyLibrary library("cuBLAS", "libcublas.so." + std::to_string(CUBLAS_VER_MAJOR),
                                      RECON_CUDA_LIBRARY_FOLDER, recon::cuda_package("cublas", CUDART_VERSION));
    return library;
}

}  // namespace

cublasStatus_t cublasCreate_v2(cublasHandle_t* handle) {
    static const auto real = cublas().find(cublasCreate_v2, "cublasCreate_v2");
    return real(handle);
}

cublasStatus_t cublasDestroy_v2(cublasHandle_t handle) {
    static const auto real = cublas().find(cublasDestroy_v2, "cublasDestroy_v2");
    return real(handle);
}

cublasStatus_t cublasSetStream_v2(cublasHandle_t handle, cudaStream_t stream) {
    static const auto real = cublas().find(cublasSetStream_v2, "cublasSetStream_v2");
    return real(handle, stream);
}

cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t operation_a, cublasOperation_t operation_b, int m,
                            int n, int k, const void* alpha, const void* a, cudaDataType type_a, int lda, const void* b,
                            cudaDataType type_b, int ldb, const void* beta, void* c, cudaDataType type_c, int ldc,
                            cublasComputeType_t arithmetic, cublasGemmAlgo_t algorithm) {
    static const auto real = cublas().find<Gemm>(cublasGemmEx, "cublasGemmEx");  // one of several of that name
    return real(handle, operation_a, operation_b, m, n, k, alpha, a, type_a, lda, b, type_b, ldb, beta, c, type_c, ldc,
                arithmetic, algorithm);
}

const char* cublasGetStatusName(cublasStatus_t status) {
    static const auto real = cublas().find(cublasGetStatusName, "cublasGetStatusName");
    return real(status);
}

const char* cublasGetStatusString(cublasStatus_t status) {
    static const auto real = cublas().find(cublasGetStatusString, "cublasGetStatusString");
    return real(status);
}
