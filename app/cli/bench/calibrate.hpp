#pragma once

#include <string>

namespace recon {

struct CalibrationArguments {
    std::string device;    ///< "auto" or "cpu"
    int thread_count = 0;  ///< 0: all cores
    std::string json_path;
};

/// Fits the costs by which times are predicted to the processor, prints what is predicted by them beside what was
/// measured, and keeps them where later runs find them.
/// @throws UsageError for other devices, InputError if nothing can be kept
void calibrate(const CalibrationArguments& arguments);

}  // namespace recon
