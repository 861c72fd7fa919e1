#pragma once

#include <string>

#include "core/base/error.hpp"

namespace recon {

/// After an error: whether a device of this process failed in the midst of its work. What it held is lost then, and
/// whatever is asked of it, by destructors too, gives the same error. Other errors are forgotten, or the next check
/// would report them again.
bool device_has_failed();

/// @param device  whose error it is, unless one has failed
DeviceError error_of_device(const std::string& device, const std::string& reason);

}  // namespace recon
