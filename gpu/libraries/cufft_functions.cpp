#include <cuda_runtime_api.h>
#include <cufft.h>

#include "gpu/libraries/lazy_library.hpp"

// The functions of cuFFT that recon calls, under their own names, as its header declares them (LazyLibrary).

namespace {

recon::LazyLibrary& cufft() {
    static recon::LazyLibrary library("cuFFT", "libcufft.so." + std::to_string(CUFFT_VER_MAJOR),
                                      RECON_CUDA_LIBRARY_FOLDER, recon::cuda_package("cufft", CUDART_VERSION));
    return library;
}

}  // namespace

cufftResult cufftCreate(cufftHandle* plan) {
    static const auto real = cufft().find(cufftCreate, "cufftCreate");
    return real(plan);
}

cufftResult cufftDestroy(cufftHandle plan) {
    static const auto real = cufft().find(cufftDestroy, "cufftDestroy");
    return real(plan);
}

cufftResult cufftSetAutoAllocation(cufftHandle plan, int automatic) {
    static const auto real = cufft().find(cufftSetAutoAllocation, "cufftSetAutoAllocation");
    return real(plan, automatic);
}

cufftResult cufftMakePlanMany64(cufftHandle plan, int rank, long long int* lengths, long long int* input_extents,
                                long long int input_stride, long long int input_distance, long long int* output_extents,
                                long long int output_stride, long long int output_distance, cufftType type,
                                long long int batch, size_t* work_bytes) {
    static const auto real = cufft().find(cufftMakePlanMany64, "cufftMakePlanMany64");
    return real(plan, rank, lengths, input_extents, input_stride, input_distance, output_extents, output_stride,
                output_distance, type, batch, work_bytes);
}

cufftResult cufftSetStream(cufftHandle plan, cudaStream_t stream) {
    static const auto real = cufft().find(cufftSetStream, "cufftSetStream");
    return real(plan, stream);
}

cufftResult cufftSetWorkArea(cufftHandle plan, void* work) {
    static const auto real = cufft().find(cufftSetWorkArea, "cufftSetWorkArea");
    return real(plan, work);
}

cufftResult cufftExecC2C(cufftHandle plan, cufftComplex* input, cufftComplex* output, int direction) {
    static const auto real = cufft().find(cufftExecC2C, "cufftExecC2C");
    return real(plan, input, output, direction);
}

cufftResult cufftExecZ2Z(cufftHandle plan, cufftDoubleComplex* input, cufftDoubleComplex* output, int direction) {
    static const auto real = cufft().find(cufftExecZ2Z, "cufftExecZ2Z");
    return real(plan, input, output, direction);
}
