#pragma once

#include <thread>

#include "app/pipeline/stage.hpp"
#include "core/base/log_binding.hpp"

namespace recon {

/// Shows on the terminal how long a stage has lasted, from its first second on.
class StageLine {
public:
    /// @param log  outlives this object
    StageLine(Stage stage, Log& log);

private:
    std::jthread thread_;  ///< which its end stops
};

}  // namespace recon
