#include "app/heart/heart_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/heart/heart_file.hpp"
#include "core/base/available_memory.hpp"
#include "core/base/cancel.hpp"
#include "core/base/error.hpp"
#include "core/base/stopwatch.hpp"
#include "core/devices/device_choice.hpp"

namespace recon::heart {
namespace {

ExcitationSetup setup_of(const Settings& settings) {
    ExcitationSetup setup;
    setup.size = settings.size;
    setup.precision = settings.precision;
    if (settings.size >= least_excitation_size) {
        setup.time_step = settings.dt.value_or(setup.model.stable_time_step(settings.size));
    }
    setup.model.require_valid(setup.size, setup.time_step);
    return setup;
}

/// Two states on the host, in double precision, beside what the device holds.
void require_memory(const ExcitationSetup& setup) {
    const auto bytes = static_cast<std::size_t>(setup.size * setup.size) * 2 * sizeof(double) * 2;
    const AvailableMemory available = available_memory();
    if (bytes > available.bytes) {
        throw DeviceError(fmt::format("`size`: {} x {} cells take {} on the host, {} are available ({})", setup.size,
                                      setup.size, memory_text(bytes), memory_text(available.bytes),
                                      available.limited_by));
    }
}

/// Steps at which there is a frame: the first, and those nearest to multiples of the interval.
class FrameSteps {
public:
    FrameSteps(double interval, double dt, Index first, Index last) : dt_(dt), interval_(interval), last_(last) {
        number_ = interval > 0 ? static_cast<Index>(std::ceil(static_cast<double>(first) * dt / interval - 0.5)) : 0;
        number_ = std::max<Index>(number_, 0);
        number_ += next() < first ? 1 : 0;  // the run before has made it, and gone a step or so further
    }
    /// Beyond the last step if there is none any more.
    Index next() const {
        return interval_ > 0 ? std::llround(static_cast<double>(number_) * interval_ / dt_) : last_ + 1;
    }
    void taken() { ++number_; }
    Index count() const {
        FrameSteps all = *this;
        Index count = 0;
        for (; all.next() <= last_; all.taken()) {
            ++count;
        }
        return count;
    }

private:
    double dt_, interval_;
    Index last_;
    Index number_ = 0;
};

/// Of the process that it is where ranks divide a sheet.
double waited_seconds(const Settings& settings) {
    return settings.ranks != nullptr ? settings.ranks->waited_seconds() : 0;
}

using Backends = std::vector<std::unique_ptr<Backend>>;

Backends devices_of(const Settings& settings) {
    if (settings.ranks != nullptr && settings.device != "auto" && settings.device != "cpu") {
        throw UsageError(fmt::format("`device` {}: ranks divide a sheet on CPUs", settings.device));
    }
    return make_backends(settings.ranks != nullptr ? "cpu" : settings.device, {.thread_count = settings.thread_count});
}

std::unique_ptr<Excitation> sheet_of(const Settings& settings, const ExcitationSetup& setup, const Backends& devices) {
    if (settings.ranks != nullptr) {
        return make_ranked_excitation(*settings.ranks, setup, settings.ranked);
    }
    std::vector<Backend*> backends;
    for (const auto& device : devices) {
        backends.push_back(device.get());
    }
    return make_excitation(backends, setup);
}

/// @return the step that the sheet is at: that of the file to go on from, 0 if there is none
Index resume(const Settings& settings, const ExcitationSetup& setup, Index last, Excitation& sheet) {
    if (settings.resume.empty()) {
        return 0;
    }
    const Index step = read_last_state(settings.resume, setup, sheet);
    if (step > last) {
        throw UsageError(
            fmt::format("`resume`: {} is at step {}, beyond the {} asked for", settings.resume, step, last));
    }
    return step;
}

Report report_of(const Settings& settings, const ExcitationSetup& setup, const Backends& devices) {
    Report report{.size = setup.size,
                  .dt = setup.time_step,
                  .alpha = setup.model.diffusion_number(setup.size, setup.time_step),
                  .precision = std::string(name_of(setup.precision)),
                  .device = devices.front()->description()};
    if (devices.size() > 1) {
        report.device = fmt::format("{} x {}", devices.size(), report.device);
    }
    if (settings.ranks != nullptr) {
        report.ranks = settings.ranks->size();
        report.ranked = settings.ranked;
    }
    return report;
}

/// Steps the sheet from report.steps_before to report.steps, and shows the listener what it asks for on the way.
void advance(const Settings& settings, const ExcitationSetup& setup, FrameSteps frames, const Listener& listener,
             Excitation& sheet, Report& report) {
    constexpr double chunk_seconds = 0.1;  // from one look at the request to stop to the next
    const Index last = report.steps;
    Index step = report.steps_before, chunk = 16, frame_number = 0;
    while (true) {
        cancel_of_this_thread().check();
        if (step == frames.next()) {
            if (listener.frame) {
                const ExcitationState state = sheet.state();
                listener.frame({frame_number++, step, static_cast<double>(step) * setup.time_step, state});
            }
            frames.taken();
        }
        if (step >= last) {
            return;
        }
        const Index count = std::min({chunk, last - step, std::max<Index>(frames.next() - step, 1)});
        const double waited_before = waited_seconds(settings);
        const Stopwatch watch;
        sheet.advance(count);
        sheet.synchronize();
        const double seconds = watch.seconds();
        report.waited_seconds += waited_seconds(settings) - waited_before;
        report.seconds += seconds;
        step += count;
        chunk = seconds < chunk_seconds / 2 && count == chunk ? 2 * chunk
                : seconds > 2 * chunk_seconds                 ? std::max<Index>(chunk / 2, 1)
                                                              : chunk;
        if (listener.progress) {
            listener.progress(step, last, report.seconds);
        }
    }
}

}  // namespace

double Report::gflops() const {
    const double cells = static_cast<double>(size) * static_cast<double>(size);
    return seconds > 0
               ? 1e-9 * excitation_operations_a_cell * cells * static_cast<double>(steps - steps_before) / seconds
               : 0;
}

double Report::gb_per_s() const {
    const double bytes =
        precision == name_of(Precision::single) ? excitation_bytes_a_cell / 2 : excitation_bytes_a_cell;
    return gflops() * bytes / excitation_operations_a_cell;
}

Report run(const Settings& settings, const Listener& listener) {
    const ExcitationSetup setup = setup_of(settings);
    const Index last = settings.steps ? *settings.steps : steps_until(settings.time, setup.time_step);
    const double all = static_cast<double>(last) * setup.time_step;
    const double interval = settings.hundred_frames ? std::max(all / 100, setup.time_step) : settings.frame_interval;
    if (interval != 0 && !(interval >= setup.time_step)) {
        throw UsageError(fmt::format("`every`: {:g}, expected at least a step, {:.6g}", interval, setup.time_step));
    }
    require_memory(setup);
    const Backends devices = devices_of(settings);
    const std::unique_ptr<Excitation> sheet = sheet_of(settings, setup, devices);
    Report report = report_of(settings, setup, devices);
    report.time = all;
    report.steps = last;
    report.steps_before = resume(settings, setup, last, *sheet);
    if (settings.ranks != nullptr) {
        settings.ranks->begin_work();
    }
    const FrameSteps frames(interval, setup.time_step, report.steps_before, last);
    if (listener.begin) {
        listener.begin(setup, frames.count(), frames.next());
    }
    advance(settings, setup, frames, listener, *sheet, report);
    const ExcitationState state = sheet->state();
    if (settings.ranks != nullptr && settings.ranks->rank() > 0) {
        return report;
    }
    report.largest = state.largest();
    report.root_mean_square = state.root_mean_square();
    if (!std::isfinite(report.largest)) {
        throw CheckFailed(
            fmt::format("after {} steps the excitation is not finite any more; choose a smaller `dt` than "
                        "{:g}, or leave it out",
                        last, setup.time_step));
    }
    if (listener.end) {
        listener.end(state, last);
    }
    return report;
}

nlohmann::json report_json(const Report& report) {
    nlohmann::json record{{"program", "recon " RECON_VERSION},
                          {"size", report.size},
                          {"time", report.time},
                          {"dt", report.dt},
                          {"alpha", report.alpha},
                          {"steps", report.steps},
                          {"steps_before", report.steps_before},
                          {"precision", report.precision},
                          {"device", report.device},
                          {"seconds", report.seconds},
                          {"gflops", report.gflops()},
                          {"gb_per_s", report.gb_per_s()},
                          {"linf", report.largest},
                          {"l2", report.root_mean_square}};
    if (report.ranks > 1) {
        record["ranks"] = report.ranks;
        record["geometry"] = report.ranked.geometry.text();
        record["halo"] = report.ranked.halo;
        record["communicates"] = report.ranked.communicates;
        record["waited"] = report.waited_seconds;
    }
    return record;
}

std::string report_text(const Report& report) {
    const std::string ranks =
        report.ranks == 1 ? ""
                          : fmt::format(", {} ranks ({}, halo {}, {:.3g} s waited){}", report.ranks,
                                        report.ranked.geometry.text(), report.ranked.halo, report.waited_seconds,
                                        report.ranked.communicates ? "" : ", without messages: numbers are wrong");
    return fmt::format(
        "grid    {0} x {0} cells, {1} precision\nT       {2:.6g}\ndt      {3:.9g} (alpha {4:.4f})\nsteps   {5}{6}\n"
        "time    {7:.4g} s on {8}{12}\nspeed   {9:.4g} GFLOP/s (28 operations a cell), {10:.4g} GB/s ({11} bytes a "
        "cell)\n"
        "Linf    {13:.12f}\nL2      {14:.12f}\n",
        report.size, report.precision, report.time, report.dt, report.alpha, report.steps,
        report.steps_before > 0 ? fmt::format(", {} of them before", report.steps_before) : "", report.seconds,
        report.device, report.gflops(), report.gb_per_s(), report.precision == name_of(Precision::single) ? 16 : 32,
        ranks, report.largest, report.root_mean_square);
}

}  // namespace recon::heart
