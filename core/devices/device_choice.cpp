#include "core/devices/device_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>
#include <numeric>
#include <optional>

#include "core/base/error.hpp"
#include "core/base/log.hpp"
#include "core/processes/process_communicator.hpp"
#include "core/processes/process_group.hpp"

namespace recon {
namespace {

/// "auto, cpu, cuda, cuda:N, cuda:M,N or cuda:all"
std::string known_forms() {
    std::vector<std::string> forms{"auto"};
    for (const BackendKind* kind : backend_kinds().all()) {
        const std::string name(kind->name);
        forms.push_back(name);
        if (kind->numbered) {
            forms.insert(forms.end(), {name + ":N", name + ":M,N", name + ":all"});
        }
    }
    return fmt::format("{} or {}", fmt::join(forms.begin(), forms.end() - 1, ", "), forms.back());
}

[[noreturn]] void refuse(const std::string& name) {
    throw UsageError(fmt::format("`device` {}: expected {}", name, known_forms()));
}

/// The numbers of "0,2,3"; none if `list` is not of that form.
std::vector<int> listed_ordinals(const std::string& list) {
    std::vector<int> ordinals;
    const char* next = list.data();
    const char* const end = next + list.size();
    while (true) {
        const auto [stop, error] = std::from_chars(next, end, ordinals.emplace_back());
        if (error != std::errc() || ordinals.back() < 0 || (stop != end && *stop != ',')) {
            return {};
        }
        if (stop == end) {
            return ordinals;
        }
        next = stop + 1;
    }
}

void require_distinct(const DeviceChoice& choice, const std::string& name) {
    for (auto i = choice.ordinals.begin(); i != choice.ordinals.end(); ++i) {
        if (std::find(choice.ordinals.begin(), i, *i) != i) {
            throw UsageError(fmt::format("`device` {}: names {}:{} twice", name, choice.kind->name, *i));
        }
    }
}

Team make_preferred(const BackendSettings& settings) {
    std::vector<const BackendKind*> kinds = backend_kinds().all();
    std::ranges::stable_sort(kinds, std::greater(), &BackendKind::preference);
    std::optional<BackendUnavailable> reason;
    for (const BackendKind* kind : kinds) {
        try {
            return kind->make(std::array{0}, settings);
        } catch (const BackendUnavailable& unavailable) {
            log_info("no {}: {}", kind->name, unavailable.reason());
            reason = unavailable;
        }
    }
    throw reason ? *reason : BackendUnavailable("this build of recon has no backend at all");
}

}  // namespace

DeviceChoice parse_devices(const std::string& name) {
    if (name == "auto") {
        return {};
    }
    const std::size_t colon = name.find(':');
    DeviceChoice choice{backend_kinds().find(name.substr(0, colon)), {0}};
    if (!choice.kind || (colon != std::string::npos && !choice.kind->numbered)) {
        refuse(name);
    }
    if (colon == std::string::npos) {
        return choice;
    }
    const std::string list = name.substr(colon + 1);
    if (list == "all") {
        choice.ordinals.resize(choice.kind->device_count());
        std::iota(choice.ordinals.begin(), choice.ordinals.end(), 0);
        return choice;
    }
    choice.ordinals = listed_ordinals(list);
    if (choice.ordinals.empty()) {
        refuse(name);
    }
    require_distinct(choice, name);
    return choice;
}

namespace {

/// Whether every process finds a device of that kind for itself.
bool all_have(const BackendKind& kind, Communicator& ranks, const ProcessPlace& place) {
    bool enough = false;
    try {
        enough = !kind.numbered || kind.device_count() >= place.ranks_on_host;
    } catch (const BackendUnavailable& unavailable) {
        log_info("no {}: {}", kind.name, unavailable.reason());
    }
    return ranks.sum(enough ? 0 : 1) == 0;
}

}  // namespace

Team join_team(ProcessGroup& processes, const RankGroups& groups, const std::string& name,
               const BackendSettings& settings) {
    const DeviceChoice choice = parse_devices(name);
    if (name.find(':') != std::string::npos) {
        throw UsageError(
            fmt::format("`device` {}: with several ranks name the kind alone, {}; each takes a device of its "
                        "host by its number there",
                        name, choice.kind->name));
    }
    if (choice.kind != nullptr) {
        if (choice.kind->join == nullptr) {
            throw UsageError(fmt::format("`device` {}: cannot be shared out to processes", name));
        }
        return choice.kind->join(processes, groups, settings);
    }
    const std::unique_ptr<Communicator> ranks = make_process_communicator(processes);
    std::vector<const BackendKind*> kinds = backend_kinds().all();
    std::ranges::stable_sort(kinds, std::greater(), &BackendKind::preference);
    for (const BackendKind* kind : kinds) {
        if (kind->join != nullptr && all_have(*kind, *ranks, processes.place())) {
            return kind->join(processes, groups, settings);
        }
    }
    throw BackendUnavailable("this build of recon has no backend for several processes");
}

Team make_team(const std::string& name, const BackendSettings& settings) {
    const DeviceChoice choice = parse_devices(name);
    return choice.kind ? choice.kind->make(choice.ordinals, settings) : make_preferred(settings);
}

std::vector<std::unique_ptr<Backend>> make_backends(const std::string& name, const BackendSettings& settings) {
    const DeviceChoice choice = parse_devices(name);
    if (choice.ordinals.size() < 2) {
        return make_team(name, settings).backends;
    }
    std::vector<std::unique_ptr<Backend>> backends;
    for (const int ordinal : choice.ordinals) {
        backends.push_back(std::move(choice.kind->make(std::array{ordinal}, settings).backends.front()));
    }
    return backends;
}

std::unique_ptr<Backend> make_backend(const std::string& name, const BackendSettings& settings) {
    if (parse_devices(name).ordinals.size() > 1) {
        throw UsageError(fmt::format("`device` {}: names several; expected one", name));
    }
    return std::move(make_team(name, settings).backends.front());
}

}  // namespace recon
