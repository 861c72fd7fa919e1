#include "app/pipeline/team.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <numeric>

#include "app/pipeline/backend_choice.hpp"
#include "core/base/error.hpp"
#include "gpu/backend/gpu_backend.hpp"
#include "gpu/device/device_count.hpp"
#include "gpu/nccl/gpu_communicator.hpp"

namespace recon {
namespace {

/// The numbers of "cuda:0,2,3"; empty if `device` is not of that form.
std::vector<int> listed_ordinals(const std::string& device) {
    std::vector<int> ordinals;
    const char* const end = device.data() + device.size();
    const char* next = device.data() + (device.starts_with("cuda:") ? 4 : device.size());
    while (next != end) {
        const auto [stop, error] = std::from_chars(next + 1, end, ordinals.emplace_back());
        if (error != std::errc() || ordinals.back() < 0 || (stop != end && *stop != ',')) {
            return {};
        }
        next = stop;
    }
    return ordinals;
}

Team team_of(const std::vector<int>& ordinals) {
    Team team;
    for (const int ordinal : ordinals) {
        team.backends.push_back(make_cuda_backend(ordinal));
    }
    team.ranks = make_gpu_communicators(team.backends);
    return team;
}

void require_distinct(const std::vector<int>& ordinals, const std::string& device) {
    for (auto i = ordinals.begin(); i != ordinals.end(); ++i) {
        if (std::find(ordinals.begin(), i, *i) != i) {
            throw UsageError(fmt::format("--device {}: names cuda:{} twice", device, *i));
        }
    }
}

}  // namespace

std::string Team::name() const {
    std::string name = first().name();
    for (std::size_t i = 1; i < backends.size(); ++i) {
        const std::string other = backends[i]->name();
        name += "," + other.substr(other.find(':') + 1);
    }
    return name;
}

Team make_team(const std::string& device, int thread_count) {
    std::vector<int> ordinals = listed_ordinals(device);
    if (device == "cuda:all") {
        ordinals.resize(cuda_device_count());
        std::iota(ordinals.begin(), ordinals.end(), 0);
    }
    require_distinct(ordinals, device);
    if (ordinals.size() > 1) {
        return team_of(ordinals);
    }
    Team team;
    team.backends.push_back(ordinals.empty() ? make_backend(device, thread_count) : make_cuda_backend(ordinals[0]));
    team.ranks.push_back(std::make_unique<SelfCommunicator>());
    return team;
}

}  // namespace recon
