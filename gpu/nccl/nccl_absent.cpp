#include "core/base/error.hpp"
#include "gpu/nccl/gpu_communicator.hpp"

namespace recon {

namespace {

[[noreturn]] void refuse() {
    throw BackendUnavailable("this build of recon has no NCCL, which several GPUs need",
                             "name one GPU, or build where libnccl-dev is installed");
}

}  // namespace

std::shared_ptr<void> connect_gpus_ahead(std::span<const int>) { return nullptr; }

std::vector<std::unique_ptr<Communicator>> make_gpu_communicators(const std::vector<std::unique_ptr<Backend>>&) {
    refuse();
}

std::unique_ptr<Communicator> make_gpu_communicator(ProcessGroup&, const Share&, Backend&) { refuse(); }

}  // namespace recon
