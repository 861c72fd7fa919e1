#pragma once

#include <string>
#include <thread>

namespace recon {

/// Starts devices in a thread of its own, whose end it waits for: the first touch of a GPU takes about as long as
/// reading and checking a scan, and may as well happen meanwhile. What goes wrong here is left to `make_team`, which
/// meets it again and reports it.
class DeviceStart {
public:
    /// @param name  as for make_team
    explicit DeviceStart(const std::string& name);

private:
    std::jthread thread_;
};

}  // namespace recon
