#pragma once

#include <memory>
#include <string>
#include <thread>

namespace recon {

/// Starts devices in a thread of its own, whose end it waits for when it is destroyed, which should be after the team
/// is made: the first touch of a GPU takes about as long as reading and checking a scan, and may as well happen
/// meanwhile. What goes wrong here is left to `make_team`, which
/// meets it again and reports it.
class DeviceStart {
public:
    /// @param name  as for make_team
    explicit DeviceStart(const std::string& name);
    DeviceStart(const DeviceStart&) = delete;
    DeviceStart& operator=(const DeviceStart&) = delete;

private:
    std::shared_ptr<void> started_;  ///< until a team has it
    std::jthread thread_;
};

}  // namespace recon
