#pragma once

#include <span>
#include <string_view>

#include "core/base/registry.hpp"
#include "core/devices/team.hpp"

namespace recon {

/// What backends of a kind are given besides their devices.
struct BackendSettings {
    int thread_count = 0;  ///< of the host; 0 means all cores
};

/// A kind of backend, registered in a file of its own (Registration): "cpu", "cuda".
struct BackendKind {
    std::string_view name;
    bool numbered = true;  ///< whether its devices are told apart by number, "cuda:1", and may work together
    int preference = 0;    ///< "auto" takes the kind with the highest one of those that can be made
    /// At least one. @throws BackendUnavailable saying why there is none
    int (*device_count)() = nullptr;
    /// @param ordinals  of the devices, at least one, none twice
    /// @throws BackendUnavailable if one of them is not there, or they cannot work together
    Team (*make)(std::span<const int> ordinals, const BackendSettings& settings) = nullptr;
    /// This process's rank among those it shares frames with, and the device that is its own; as `make`. Null: it
    /// cannot
    Team (*join)(ProcessGroup& processes, const RankGroups& groups, const BackendSettings& settings) = nullptr;
    /// Does what takes long before the first backend of a process on these devices can be made, such as starting a
    /// driver; may throw, and need not be called. Null: nothing takes long
    /// @return what is to be kept until the backend is made
    std::shared_ptr<void> (*start)(std::span<const int> ordinals) = nullptr;
};

Registry<BackendKind>& backend_kinds();

}  // namespace recon
