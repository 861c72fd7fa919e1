#include "core/devices/backend_kind.hpp"
#include "core/processes/process_group.hpp"
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

/// Every process of a host takes the device of its number there; one that sees a single device, that one.
Team join_cuda_ranks(ProcessGroup& processes, const RankGroups& groups, const BackendSettings&) {
    Team team;
    team.processes = &processes;
    team.groups = groups;
    team.backends.push_back(make_cuda_backend(processes.place().rank_on_host % cuda_device_count()));
    team.ranks.push_back(make_gpu_communicator(processes, groups.ranks_of(team.group()), team.first()));
    return team;
}

const Registration cuda_registered(backend_kinds(), BackendKind{.name = "cuda",
                                                                .preference = 1,
                                                                .device_count = cuda_device_count,
                                                                .make = make_cuda_team,
                                                                .join = join_cuda_ranks,
                                                                .start = start_cuda_devices});

}  // namespace
}  // namespace recon
