#pragma once

#include <atomic>
#include <exception>
#include <memory>
#include <string>
#include <thread>

namespace recon {

/// Starts devices in a thread of its own, whose end it waits for when it is destroyed, which should be after the team
/// is made: the first touch of a GPU takes about as long as reading and checking a scan, and may as well happen
/// meanwhile. What goes wrong here is left to `make_team`, which meets it again and reports it, or to who asks.
class DeviceStart {
public:
    /// @param name  as for make_team
    explicit DeviceStart(const std::string& name);
    DeviceStart(const DeviceStart&) = delete;
    DeviceStart& operator=(const DeviceStart&) = delete;

    /// Does not wait. @throws BackendUnavailable if devices were named and it is known by now that there are none
    void require_devices() const;

private:
    std::shared_ptr<void> started_;  ///< until a team has it
    std::exception_ptr refusal_;     ///< once `is_refused_`
    std::atomic<bool> is_refused_ = false;
    std::jthread thread_;
};

}  // namespace recon
