#pragma once

namespace recon {

/// Other libraries expect this thread's current CUDA device to stay what it was. Does nothing where the backend was not
/// compiled in.
class CurrentDeviceStays {
public:
    CurrentDeviceStays();
    ~CurrentDeviceStays();  // NOLINT(performance-trivially-destructible): only without CUDA
    CurrentDeviceStays(const CurrentDeviceStays&) = delete;
    CurrentDeviceStays& operator=(const CurrentDeviceStays&) = delete;

private:
    int ordinal_ = -1;  ///< none
};

}  // namespace recon
