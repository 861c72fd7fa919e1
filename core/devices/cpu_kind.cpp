#include "core/backend/cpu/cpu_backend.hpp"
#include "core/devices/backend_kind.hpp"
#include "core/processes/process_communicator.hpp"

namespace recon {
namespace {

Team join_cpu_ranks(ProcessGroup& processes, const RankGroups& groups, const BackendSettings& settings) {
    Team team;
    team.processes = &processes;
    team.groups = groups;
    team.backends.push_back(make_cpu_backend(settings.thread_count));
    team.ranks.push_back(make_process_communicator(processes, groups.ranks_of(team.group())));
    return team;
}

const Registration cpu_registered(backend_kinds(),
                                  BackendKind{.name = "cpu",
                                              .numbered = false,
                                              .preference = 0,
                                              .device_count = [] { return 1; },
                                              .make =
                                                  [](std::span<const int>, const BackendSettings& settings) {
                                                      return Team::of_one(make_cpu_backend(settings.thread_count));
                                                  },
                                              .join = join_cpu_ranks});

}  // namespace
}  // namespace recon
