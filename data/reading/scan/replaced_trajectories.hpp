#pragma once

#include <map>
#include <memory>
#include <vector>

#include "core/mri/scan.hpp"

namespace recon {

/// Maps each distinct trajectory once, so that frames that shared one still do.
template <class Function>
void replace_trajectories(std::vector<Frame>& frames, Function&& function) {
    std::map<const Trajectory*, std::shared_ptr<const Trajectory>> replaced;
    for (Frame& frame : frames) {
        auto [entry, is_new] = replaced.try_emplace(frame.trajectory.get());
        if (is_new) {
            entry->second = std::make_shared<const Trajectory>(function(*frame.trajectory));
        }
        frame.trajectory = entry->second;
    }
}

}  // namespace recon
