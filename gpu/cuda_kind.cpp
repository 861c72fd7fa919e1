#include "core/devices/backend_kind.hpp"
#include "gpu/backend/gpu_backend.hpp"
#include "gpu/device/device_count.hpp"
#include "gpu/nccl/gpu_communicator.hpp"

namespace recon {
namespace {

Team make_cuda_team(std::span<const int> ordinals, const BackendSettings&) {
    if (ordinals.size() == 1) {
        return Team::of_one(make_cuda_backend(ordinals.front()));
    }
    Team team;
    for (const int ordinal : ordinals) {
        team.backends.push_back(make_cuda_backend(ordinal));
    }
    team.ranks = make_gpu_communicators(team.backends);
    return team;
}

const Registration cuda_registered(backend_kinds(), BackendKind{.name = "cuda",
                                                                .preference = 1,
                                                                .device_count = cuda_device_count,
                                                                .make = make_cuda_team,
                                                                .start = start_cuda_devices});

}  // namespace
}  // namespace recon
