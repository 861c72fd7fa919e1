#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "core/heart/ranked_excitation.hpp"

namespace recon::heart {

/// What `recon heart` shall compute.
struct Settings {
    Index size = 200;             ///< cells along a side of the sheet
    double time = 1000;           ///< T, in units of the model
    std::optional<Index> steps;   ///< instead of `time`
    std::optional<double> dt;     ///< absent: what is stable
    double frame_interval = 0;    ///< time from frame to frame; 0: no frames but the last state
    bool hundred_frames = false;  ///< instead of an interval: a hundredth of the time
    Precision precision = Precision::double_;
    std::string device = "auto";
    int thread_count = 0;
    std::string resume;             ///< a file of an earlier run to go on from; empty: from the start
    ProcessGroup* ranks = nullptr;  ///< that divide the sheet, on CPUs; null: one process
    RankedSetup ranked = {};
};

struct Report {
    Index size = 0;
    double time = 0;
    double dt = 0;
    double alpha = 0;
    Index steps = 0;              ///< from the start of the sheet on
    Index steps_before = 0;       ///< of these, made by the run that was resumed
    double seconds = 0;           ///< of the steps alone, without frames and files
    double largest = 0;           ///< Linf
    double root_mean_square = 0;  ///< L2
    std::string precision;
    std::string device;
    int ranks = 1;
    RankedSetup ranked = {};    ///< of several
    double waited_seconds = 0;  ///< of `seconds`, on rank 0, for messages
    double gflops() const;      ///< by the document's count, 28 operations a cell and step
    double gb_per_s() const;    ///< 32 bytes a cell and step, 16 in single precision, whatever the caches do
};

/// A state on the way.
struct Frame {
    Index number;
    Index step;
    double time;
    const ExcitationState& state;
};

/// What is told on the way; each may be empty.
struct Listener {
    /// After all settings have been judged. @param frame_count  that will come, from `first_frame_step` on
    std::function<void(const ExcitationSetup& setup, Index frame_count, Index first_frame_step)> begin;
    std::function<void(const Frame& frame)> frame;
    /// Ten times a second or so. @param seconds  that the steps took so far
    std::function<void(Index step, Index steps, double seconds)> progress;
    std::function<void(const ExcitationState& state, Index step)> end;
};

/// Steps a sheet from its start, or from where an earlier run ended, to its time. Of several ranks, which all call it,
/// the first has the states and the figures.
/// @throws UsageError for settings that cannot be, Cancelled by this thread's token, CheckFailed if E is not finite
Report run(const Settings& settings, const Listener& listener);

nlohmann::json report_json(const Report& report);
/// Several lines for the terminal.
std::string report_text(const Report& report);

}  // namespace recon::heart
