#pragma once

#include "core/backend/cpu/cpu_backend.hpp"
#include "core/devices/team.hpp"
#include "core/parallel/cpu_communicator.hpp"

namespace recon::test {

/// Ranks on the CPU, which do what several GPUs would.
inline Team cpu_team(int size) {
    Team team;
    for (int rank = 0; rank < size; ++rank) {
        team.backends.push_back(make_cpu_backend(1));
    }
    team.ranks = make_cpu_communicators(size);
    return team;
}

}  // namespace recon::test
