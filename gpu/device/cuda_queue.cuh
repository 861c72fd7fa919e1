#pragma once

#include <cstddef>
#include <initializer_list>
#include <span>
#include <string>

#include "core/base/memory_budget.hpp"
#include "core/base/types.hpp"
#include "gpu/device/pinned_ring.cuh"

namespace recon {

/// One device, its one ordered queue of work, and its memory, which is handed out and taken back in the order of the
/// queue: memory may be freed while kernels that use it are still waiting to run.
class CudaQueue {
public:
    /// @throws BackendUnavailable saying what is missing: driver, device, ordinal or capability
    explicit CudaQueue(int ordinal);
    CudaQueue(const CudaQueue&) = delete;
    CudaQueue& operator=(const CudaQueue&) = delete;

    int ordinal() const { return ordinal_; }
    std::string name() const { return "cuda:" + std::to_string(ordinal_); }
    const cudaDeviceProp& properties() const { return properties_; }
    int multiprocessor_count() const { return properties_.multiProcessorCount; }
    /// The most shared memory that one block can have, after cudaFuncSetAttribute.
    std::size_t shared_memory_per_block() const { return properties_.sharedMemPerBlockOptin; }

    /// The queue's stream; makes its device the calling thread's current one.
    cudaStream_t stream() const;
    /// cuBLAS on that stream, scalars on the host; created at the first call, because its start takes time.
    cublasHandle_t blas();
    /// Waits until the queue is empty.
    void synchronize() const;

    /// Every allocation is entered here. What the driver and the libraries of CUDA take for themselves is not.
    MemoryBudget& memory() const { return memory_; }
    /// @throws DeviceError saying how much was asked for, and how much was free or the limit
    void* allocate(std::size_t bytes);
    void deallocate(void* data, std::size_t bytes) noexcept;
    /// Lets other devices read and write this queue's memory, where the hardware can. @param ordinals may hold its own
    void open_memory_to(std::span<const int> ordinals) const;
    /// What could still be allocated: free on the device, or held by the pool without being used; below the limit.
    std::size_t memory_free_bytes() const;

    /// Queues copies of raw bytes. The host memory may be reused at once; a download waits.
    void upload_bytes(const void* host, void* device, std::size_t bytes);
    void download_bytes(const void* device, void* host, std::size_t bytes);

private:
    int ordinal_;
    cudaDeviceProp properties_{};
    mutable MemoryBudget memory_;
    MemoryPoolHandle pool_;
    StreamHandle stream_;
    CublasHandle blas_;
    PinnedMemory small_downloads_;
    PinnedRing ring_;
};

/// Loads these kernels, and with them the file of machine code that they are in, on the current device; nothing where
/// that fails, which launching them will tell.
void load_kernels(std::initializer_list<const void*> kernels);

/// Owning, move-only block of `count` values on a queue's device. Contents start undefined.
template <class T>
class DeviceBuffer {
public:
    DeviceBuffer() = default;
    DeviceBuffer(CudaQueue& queue, Index count)
        : queue_(&queue),
          data_(static_cast<T*>(queue.allocate(static_cast<std::size_t>(count) * sizeof(T)))),
          size_(count) {}
    DeviceBuffer(CudaQueue& queue, std::span<const T> host) : DeviceBuffer(queue, static_cast<Index>(host.size())) {
        queue.upload_bytes(host.data(), data_, host.size_bytes());
    }
    ~DeviceBuffer() {
        if (data_) {
            queue_->deallocate(data_, static_cast<std::size_t>(size_) * sizeof(T));
        }
    }
    DeviceBuffer(DeviceBuffer&& other) noexcept
        : queue_(other.queue_), data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
    DeviceBuffer& operator=(DeviceBuffer&& other) noexcept {
        std::swap(queue_, other.queue_);
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
        return *this;
    }

    T* data() { return data_; }
    const T* data() const { return data_; }
    Index size() const { return size_; }

private:
    CudaQueue* queue_ = nullptr;
    T* data_ = nullptr;
    Index size_ = 0;
};

/// Blocks for a grid-stride loop over `count` elements: enough to fill any device, few enough to launch quickly.
inline unsigned blocks_for(Index count, int threads_per_block) {
    constexpr Index most = 1 << 16;
    const Index blocks = (count + threads_per_block - 1) / threads_per_block;
    return static_cast<unsigned>(blocks < 1 ? 1 : blocks > most ? most : blocks);
}

}  // namespace recon
