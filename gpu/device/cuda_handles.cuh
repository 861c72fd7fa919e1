#pragma once

#include <utility>

#include "gpu/device/cuda_check.cuh"

namespace recon {

/// Owns one handle of a C library; `destroy` is its release function.
template <class Handle, auto destroy>
class UniqueHandle {
public:
    UniqueHandle() = default;
    explicit UniqueHandle(Handle handle) : handle_(handle), owned_(true) {}
    ~UniqueHandle() {
        if (owned_) {
            warn(destroy(handle_));
        }
    }
    UniqueHandle(UniqueHandle&& other) noexcept : handle_(other.handle_), owned_(std::exchange(other.owned_, false)) {}
    UniqueHandle& operator=(UniqueHandle&& other) noexcept {
        std::swap(handle_, other.handle_);
        std::swap(owned_, other.owned_);
        return *this;
    }

    Handle get() const { return handle_; }
    explicit operator bool() const { return owned_; }

private:
    Handle handle_{};
    bool owned_ = false;
};

using StreamHandle = UniqueHandle<cudaStream_t, cudaStreamDestroy>;
using EventHandle = UniqueHandle<cudaEvent_t, cudaEventDestroy>;
using MemoryPoolHandle = UniqueHandle<cudaMemPool_t, cudaMemPoolDestroy>;
using PinnedMemory = UniqueHandle<void*, cudaFreeHost>;
using CublasHandle = UniqueHandle<cublasHandle_t, cublasDestroy_v2>;
using CufftHandle = UniqueHandle<cufftHandle, cufftDestroy>;

}  // namespace recon
