#include "gpu/device/cuda_queue.cuh"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "core/base/error.hpp"
#include "core/base/log.hpp"
#include "gpu/device/device_count.hpp"
#include "gpu/device/device_names.hpp"
#include "gpu/device/machine_code.hpp"

namespace recon {
namespace {

constexpr const char* use_the_cpu = "use `device` cpu";
constexpr int least_major_capability = 8;  // the oldest machine code that is built, see gpu/CMakeLists.txt

double gigabytes(std::size_t bytes) { return static_cast<double>(bytes) / 1e9; }

int checked_ordinal(int ordinal) {
    const int device_count = cuda_device_count();
    if (ordinal < 0 || ordinal >= device_count) {
        throw BackendUnavailable(fmt::format("there is no device cuda:{}", ordinal),
                                 fmt::format("found {}: cuda:0{}", device_count,
                                             device_count > 1 ? fmt::format(" to cuda:{}", device_count - 1) : ""));
    }
    return ordinal;
}

cudaDeviceProp usable_device(int ordinal) {
    cudaDeviceProp properties{};
    check(cudaGetDeviceProperties(&properties, ordinal));
    if (properties.major < least_major_capability) {
        throw BackendUnavailable(
            fmt::format("cuda:{} ({}) has compute capability {}.{}, at least {}.0 is needed", ordinal, properties.name,
                        properties.major, properties.minor, least_major_capability),
            use_the_cpu);
    }
    if (!properties.memoryPoolsSupported) {
        throw BackendUnavailable(
            fmt::format("cuda:{} ({}) has no stream-ordered memory (a virtual GPU?)", ordinal, properties.name),
            use_the_cpu);
    }
    const cudaError_t status = cudaSetDevice(ordinal);  // creates the context: fails if another process owns the device
    if (status != cudaSuccess) {
        cudaGetLastError();
        throw BackendUnavailable(
            fmt::format("cuda:{} ({}) cannot be used: {}", ordinal, properties.name, cudaGetErrorString(status)),
            use_the_cpu);
    }
    name_device(ordinal, properties.name);
    if (!has_machine_code_for(properties.major, properties.minor)) {
        log_info(
            "cuda:{} ({}) has compute capability {}.{}, and this program was built for {}: the driver translates "
            "its kernels on their first run, which takes half a minute (-DRECON_CUDA_ARCHITECTURES={}{} spares it)",
            ordinal, properties.name, properties.major, properties.minor, text_of_built_capabilities(),
            properties.major, properties.minor);
    }
    return properties;
}

MemoryPoolHandle make_pool(int ordinal) {
    cudaMemPoolProps wanted{};
    wanted.allocType = cudaMemAllocationTypePinned;
    wanted.location.type = cudaMemLocationTypeDevice;
    wanted.location.id = ordinal;
    cudaMemPool_t pool = nullptr;
    check(cudaMemPoolCreate(&pool, &wanted));
    MemoryPoolHandle handle(pool);
    std::uint64_t keep_all = UINT64_MAX;  // returning memory to the driver between iterations would cost more
    check(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep_all));
    return handle;
}

StreamHandle make_stream() {
    cudaStream_t stream = nullptr;
    check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    return StreamHandle(stream);
}

PinnedMemory make_pinned(std::size_t bytes) {
    void* data = nullptr;
    check(cudaMallocHost(&data, bytes));
    return PinnedMemory(data);
}

/// Downloads up to this size go through pinned memory: a copy to pageable memory takes several times longer to start.
constexpr std::size_t small_bytes = 4096;

}  // namespace

int cuda_device_count() {
    int device_count = 0;
    const cudaError_t status = cudaGetDeviceCount(&device_count);
    if (status == cudaErrorInsufficientDriver) {
        int needed = 0;
        int found = 0;
        cudaRuntimeGetVersion(&needed);
        cudaDriverGetVersion(&found);  // 0 if there is no driver at all
        if (found == 0) {
            throw BackendUnavailable("no NVIDIA driver is installed", use_the_cpu);
        }
        throw BackendUnavailable(fmt::format("the NVIDIA driver supports CUDA {}.{}, this build needs {}.{}",
                                             found / 1000, found % 1000 / 10, needed / 1000, needed % 1000 / 10),
                                 "update the driver, or use `device` cpu");
    }
    if (status == cudaErrorNoDevice || (status == cudaSuccess && device_count == 0)) {
        throw BackendUnavailable("the NVIDIA driver finds no device (is CUDA_VISIBLE_DEVICES set?)", use_the_cpu);
    }
    if (status != cudaSuccess) {
        throw BackendUnavailable(
            fmt::format("CUDA does not start: {} ({})", cudaGetErrorString(status), cudaGetErrorName(status)),
            use_the_cpu);
    }
    return device_count;
}

void load_kernels(std::initializer_list<const void*> kernels) {
    for (const void* kernel : kernels) {
        cudaFuncAttributes attributes{};
        if (cudaFuncGetAttributes(&attributes, kernel) != cudaSuccess) {
            cudaGetLastError();
            return;
        }
    }
}

CudaQueue::CudaQueue(int ordinal)
    : ordinal_(checked_ordinal(ordinal)),
      properties_(usable_device(ordinal_)),
      memory_(name()),
      pool_(make_pool(ordinal_)),
      stream_(make_stream()),
      small_downloads_(make_pinned(small_bytes)) {}

cudaStream_t CudaQueue::stream() const {
    check(cudaSetDevice(ordinal_));
    return stream_.get();
}

cublasHandle_t CudaQueue::blas() {
    const cudaStream_t queue = stream();
    if (!blas_) {
        cublasHandle_t handle = nullptr;
        check(cublasCreate(&handle));
        blas_ = CublasHandle(handle);
        check(cublasSetStream(handle, queue));
    }
    return blas_.get();
}

void CudaQueue::synchronize() const { check(cudaStreamSynchronize(stream())); }

void* CudaQueue::allocate(std::size_t bytes) {
    MemoryClaim claim(memory_, bytes);
    void* data = nullptr;
    const std::size_t at_least_one = bytes > 0 ? bytes : 1;
    cudaError_t status = cudaMallocFromPoolAsync(&data, at_least_one, pool_.get(), stream());
    if (status == cudaErrorMemoryAllocation) {
        // What the pool holds may be in pieces, or still waiting for the queue: give everything back, and try once
        // more.
        cudaGetLastError();
        synchronize();
        check(cudaMemPoolTrimTo(pool_.get(), 0));
        status = cudaMallocFromPoolAsync(&data, at_least_one, pool_.get(), stream());
    }
    if (status == cudaErrorMemoryAllocation) {
        cudaGetLastError();
        throw DeviceError(fmt::format(
            "{} ({}): {:.2f} GB of memory asked for, {:.2f} GB of {:.2f} GB free; reconstruct a smaller `matrix`, end "
            "other programs on the device, or use `device` cpu",
            name(), properties_.name, gigabytes(bytes), gigabytes(memory_free_bytes()),
            gigabytes(properties_.totalGlobalMem)));
    }
    check(status);
    claim.keep();
    return data;
}

void CudaQueue::deallocate(void* data, std::size_t bytes) noexcept {
    memory_.give_back(bytes);
    warn(cudaSetDevice(ordinal_));
    warn(cudaFreeAsync(data, stream_.get()));
}

void CudaQueue::open_memory_to(std::span<const int> ordinals) const {
    for (const int other : ordinals) {
        int can_access = 0;
        check(cudaDeviceCanAccessPeer(&can_access, other, ordinal_));  // not its own, which needs no leave
        if (can_access) {
            cudaMemAccessDesc access{};
            access.location.type = cudaMemLocationTypeDevice;
            access.location.id = other;
            access.flags = cudaMemAccessFlagsProtReadWrite;
            check(cudaMemPoolSetAccess(pool_.get(), &access, 1));
        }
    }
}

std::size_t CudaQueue::memory_free_bytes() const {
    stream();
    std::size_t free_bytes = 0;
    std::size_t total_bytes = 0;
    check(cudaMemGetInfo(&free_bytes, &total_bytes));
    std::uint64_t reserved = 0;
    std::uint64_t used = 0;
    check(cudaMemPoolGetAttribute(pool_.get(), cudaMemPoolAttrReservedMemCurrent, &reserved));
    check(cudaMemPoolGetAttribute(pool_.get(), cudaMemPoolAttrUsedMemCurrent, &used));
    return std::min(free_bytes + static_cast<std::size_t>(reserved - used), memory_.left());
}

void CudaQueue::upload_bytes(const void* host, void* device, std::size_t bytes) {
    if (bytes >= PinnedRing::least_bytes) {
        ring_.upload(host, device, bytes, stream());
        return;
    }
    // From pageable memory the call returns when the driver has taken its own copy.
    check(cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, stream()));
}

void CudaQueue::download_bytes(const void* device, void* host, std::size_t bytes) {
    if (bytes >= PinnedRing::least_bytes) {
        ring_.download(device, host, bytes, stream());
        return;
    }
    void* target = bytes <= small_bytes ? small_downloads_.get() : host;
    check(cudaMemcpyAsync(target, device, bytes, cudaMemcpyDeviceToHost, stream()));
    synchronize();
    if (target != host) {
        std::memcpy(host, target, bytes);
    }
}

}  // namespace recon
