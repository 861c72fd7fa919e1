#include "core/devices/team.hpp"

#include "core/processes/process_group.hpp"

namespace recon {

Team Team::of_one(std::unique_ptr<Backend> backend) {
    Team team;
    team.backends.push_back(std::move(backend));
    team.ranks.push_back(std::make_unique<SelfCommunicator>());
    return team;
}

int Team::group() const { return processes == nullptr ? 0 : groups.group_of(processes->rank()); }

std::string Team::name() const {
    std::string name = first().name();
    for (std::size_t i = 1; i < backends.size(); ++i) {
        const std::string other = backends[i]->name();
        name += "," + other.substr(other.find(':') + 1);
    }
    return name;
}

}  // namespace recon
