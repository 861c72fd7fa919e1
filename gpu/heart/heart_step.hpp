#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/heart/excitation.hpp"
#include "gpu/ladder/ladder_step.hpp"

namespace recon::heart {

using ladder::Devices;
using ladder::Place;

/// What the document says of a version, on a GTX 1080 Ti (the CPU: its host) with n = 1024, T = 500.
struct Published {
    double seconds;
    double gflops;
    double gb_per_s;  ///< 0 where it says nothing
};

/// One rung of the ladder of the heart: a way to step the same sheet forward.
struct Step {
    std::string id;      ///< as in --steps: "v2-fused"
    std::string title;   ///< "V2: one kernel for all formulas"
    std::string change;  ///< what differs from the step before
    std::string bound;   ///< what limits it
    Place place = Place::gpu;
    Precision precision = Precision::double_;
    double bytes_a_cell = excitation_bytes_a_cell;  ///< least traffic to memory for a cell and step, caches apart
    std::optional<Published> published{};
    std::string impossible{};  ///< why no device can do it; empty: one can
    std::unique_ptr<Excitation> (*make)(const Devices& devices, const ExcitationSetup& setup) = nullptr;

    /// Why this step cannot run here; empty if it can.
    std::string obstacle(const Devices& devices) const;
};

std::vector<Step> cpu_steps();
/// Empty in a build without CUDA.
std::vector<Step> gpu_steps();
/// All steps, in the order of the story.
std::vector<Step> all_steps();

}  // namespace recon::heart
