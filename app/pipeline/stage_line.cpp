#include "app/pipeline/stage_line.hpp"

#include <fmt/format.h>

#include <chrono>
#include <condition_variable>
#include <mutex>

#include "core/base/stopwatch.hpp"
#include "core/base/threads/startable_threads.hpp"

namespace recon {
namespace {

void show(std::stop_token stop, Stage stage, Log& log) {
    using namespace std::chrono_literals;
    const Stopwatch watch;
    std::mutex mutex;
    std::condition_variable_any changed;
    std::unique_lock lock(mutex);
    const auto ended_within = [&](std::chrono::milliseconds time) {
        return changed.wait_for(lock, stop, time, [&] { return stop.stop_requested(); });
    };
    for (bool ended = ended_within(1s); !ended; ended = ended_within(500ms)) {
        log.show_live(fmt::format("{}: {:.0f} s", name_of(stage), watch.seconds()));
    }
    log.show_live("");
}

}  // namespace

StageLine::StageLine(Stage stage, Log& log)
    : thread_(helper_thread([stage, &log](std::stop_token stop) { show(std::move(stop), stage, log); })) {}

}  // namespace recon
