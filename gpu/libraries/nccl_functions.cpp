#include <cuda_runtime_api.h>
#include <nccl.h>

#include "gpu/libraries/lazy_library.hpp"

// The functions of NCCL that recon calls, under their own names, as its header declares them (LazyLibrary).

namespace {

recon::LazyLibrary& nccl() {
    static recon::LazyLibrary library("NCCL", "libnccl.so." + std::to_string(NCCL_MAJOR), RECON_NCCL_LIBRARY_FOLDER,
                                      "nvidia-nccl-cu" + std::to_string(CUDART_VERSION / 1000));
    return library;
}

}  // namespace

ncclResult_t ncclCommInitAll(ncclComm_t* communicators, int count, const int* devices) {
    static const auto real = nccl().find(ncclCommInitAll, "ncclCommInitAll");
    return real(communicators, count, devices);
}

ncclResult_t ncclGetUniqueId(ncclUniqueId* id) {
    static const auto real = nccl().find(ncclGetUniqueId, "ncclGetUniqueId");
    return real(id);
}

ncclResult_t ncclCommInitRank(ncclComm_t* communicator, int count, ncclUniqueId id, int rank) {
    static const auto real = nccl().find(ncclCommInitRank, "ncclCommInitRank");
    return real(communicator, count, id, rank);
}

ncclResult_t ncclCommDestroy(ncclComm_t communicator) {
    static const auto real = nccl().find(ncclCommDestroy, "ncclCommDestroy");
    return real(communicator);
}

ncclResult_t ncclCommAbort(ncclComm_t communicator) {
    static const auto real = nccl().find(ncclCommAbort, "ncclCommAbort");
    return real(communicator);
}

const char* ncclGetErrorString(ncclResult_t status) {
    static const auto real = nccl().find(ncclGetErrorString, "ncclGetErrorString");
    return real(status);
}

const char* ncclGetLastError(ncclComm_t communicator) {
    static const auto real = nccl().find(ncclGetLastError, "ncclGetLastError");
    return real(communicator);
}

ncclResult_t ncclReduceScatter(const void* from, void* to, size_t count, ncclDataType_t type, ncclRedOp_t operation,
                               ncclComm_t communicator, cudaStream_t stream) {
    static const auto real = nccl().find(ncclReduceScatter, "ncclReduceScatter");
    return real(from, to, count, type, operation, communicator, stream);
}

ncclResult_t ncclAllGather(const void* from, void* to, size_t count, ncclDataType_t type, ncclComm_t communicator,
                           cudaStream_t stream) {
    static const auto real = nccl().find(ncclAllGather, "ncclAllGather");
    return real(from, to, count, type, communicator, stream);
}

ncclResult_t ncclReduce(const void* from, void* to, size_t count, ncclDataType_t type, ncclRedOp_t operation, int root,
                        ncclComm_t communicator, cudaStream_t stream) {
    static const auto real = nccl().find(ncclReduce, "ncclReduce");
    return real(from, to, count, type, operation, root, communicator, stream);
}

ncclResult_t ncclBroadcast(const void* from, void* to, size_t count, ncclDataType_t type, int root,
                           ncclComm_t communicator, cudaStream_t stream) {
    static const auto real = nccl().find(ncclBroadcast, "ncclBroadcast");
    return real(from, to, count, type, root, communicator, stream);
}
