#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/devices/backend_kind.hpp"

namespace recon {

/// Devices by name.
struct DeviceChoice {
    const BackendKind* kind = nullptr;  ///< null for "auto"
    std::vector<int> ordinals;
};

/// "auto", a kind of backend ("cpu", "cuda"), or, where its devices have numbers, "cuda:1", "cuda:0,2,3", "cuda:all".
/// @throws UsageError for any other name or a device named twice, with the forms there are; BackendUnavailable if all
/// devices are meant and there is none
DeviceChoice parse_devices(const std::string& name);

/// For "auto" the preferred kind that can be made, with a line in the log about those that cannot.
/// @throws as parse_devices; BackendUnavailable if a device is not there, or those named cannot work together
Team make_team(const std::string& name, const BackendSettings& settings = {});

/// This process's part of the team that it makes with the others it shares frames with, each with a device of its own,
/// all processes with one of the same kind. For "auto" a GPU each, if every host has as many as ranks, else the CPU.
/// @param groups  of all processes  @param name  "auto" or a kind
/// @throws as make_team; UsageError if devices are named by number; RanksAborted
Team join_team(ProcessGroup& processes, const RankGroups& groups, const std::string& name,
               const BackendSettings& settings = {});

/// The backends of these devices by themselves: nothing is made that reductions among them would need.
/// @throws as make_team
std::vector<std::unique_ptr<Backend>> make_backends(const std::string& name, const BackendSettings& settings = {});

/// The backend of one device. @throws as make_team; UsageError if several are named
std::unique_ptr<Backend> make_backend(const std::string& name, const BackendSettings& settings = {});

}  // namespace recon
