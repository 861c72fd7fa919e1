#include "app/cli/heart/heart_command.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <memory>
#include <optional>

#include "app/cli/shell/named_choice.hpp"
#include "app/cli/shell/number_range.hpp"
#include "app/cli/shell/signals.hpp"
#include "app/cli/shell/study_outputs.hpp"
#include "app/heart/heart_file.hpp"
#include "app/heart/heart_movie.hpp"
#include "app/heart/heart_run.hpp"
#include "core/base/error.hpp"
#include "core/base/log_binding.hpp"
#include "core/base/stopwatch.hpp"
#include "data/files/file_identity.hpp"

namespace recon {
namespace {

struct HeartArguments {
    heart::Settings settings;
    Index steps = 0;
    double dt = 0;
    double every = 0;
    std::string out, movie, json;
    bool quiet = false;
};

/// The live line of a terminal; elsewhere a line of the log now and then.
class ProgressLine {
public:
    explicit ProgressLine(bool quiet)
        : log_(quiet ? nullptr : log_of_this_thread()), live_(isatty(STDERR_FILENO) != 0) {}
    ~ProgressLine() {
        if (log_ && live_) {
            log_->show_live("");
        }
    }
    void show(Index step, Index steps, double seconds) {
        constexpr double between_lines_s = 10;
        if (!log_ || (!live_ && watch_.seconds() - last_ < between_lines_s)) {
            return;
        }
        last_ = watch_.seconds();
        const double left = watch_.seconds() * static_cast<double>(steps - step) / static_cast<double>(step);
        const std::string line = fmt::format("heart: step {} of {}, {:.0f} steps a second, {:.0f} s left", step, steps,
                                             seconds > 0 ? static_cast<double>(step) / seconds : 0, left);
        if (live_) {
            log_->show_live(line);
        } else {
            log_->write(LogLevel::info, line);
        }
    }

private:
    Log* log_;
    bool live_;
    Stopwatch watch_;
    double last_ = 0;
};

void run(const HeartArguments& arguments) {
    set_log_level(arguments.quiet ? LogLevel::warning : LogLevel::info);
    require_outputs_apart(
        std::vector<NamedFile>{
            {"--resume", arguments.settings.resume == arguments.out ? "" : arguments.settings.resume}},
        std::vector<NamedFile>{{"--out", arguments.out}, {"--json", arguments.json}});
    probe_outputs({arguments.out, arguments.json});
    std::optional<heart::HeartFile> file;
    std::optional<heart::Movie> movie;
    ProgressLine progress(arguments.quiet);
    std::optional<ExcitationState> last;
    heart::Listener listener;
    listener.begin = [&](const ExcitationSetup& setup, Index frame_count) {
        log_info("heart: {0} x {0} cells, steps of {1:.6g}, {2} frames", setup.size, setup.time_step, frame_count);
        if (!arguments.out.empty()) {
            file.emplace(arguments.out, setup, frame_count);
        }
        if (!arguments.movie.empty()) {
            movie.emplace(arguments.movie, frame_count);
        }
    };
    listener.frame = [&](const heart::Frame& frame) {
        if (file) {
            file->add_frame(frame.state, frame.step, frame.time);
        }
        if (movie) {
            movie->add(frame);
        }
    };
    listener.progress = [&](Index step, Index steps, double seconds) { progress.show(step, steps, seconds); };
    listener.end = [&](const ExcitationState& state, Index) {
        if (file) {
            last = state;
        }
    };
    const heart::Report report = heart::run(arguments.settings, listener);
    const nlohmann::json record = heart::report_json(report);
    if (file) {
        file->finish(*last, report.steps, record.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
    }
    if (movie) {
        movie->finish();
    }
    write_json_if_asked(arguments.json, record);
    std::fputs(heart::report_text(report).c_str(), stdout);
}

/// @throws Cancelled saying what has become of the outputs
void run_watched(const HeartArguments& arguments) {
    CancelSource source;
    const CancelToken token(source);
    const CancelBinding bound(token);
    const SignalWatch watch(source);
    try {
        run(arguments);
    } catch (const Cancelled&) {
        throw Cancelled(arguments.out.empty() ? "nothing was written" : arguments.out + " is as it was before");
    }
}

}  // namespace

void add_heart_command(CLI::App& app) {
    CLI::App* command = app.add_subcommand(
        "heart", "Waves of excitation in heart muscle, the model of Aliev and Panfilov on a square sheet");
    command->footer(
        "Prints grid, time, step, speed, Linf = max E and L2 = sqrt(mean E^2). docs/heart.md has the equations.\n\n"
        "  recon heart --movie frames --every 5\n"
        "  recon heart --size 1024 --time 500 --device cuda --out heart.h5 --every 5");
    const auto arguments = std::make_shared<HeartArguments>();
    heart::Settings& s = arguments->settings;
    command->add_option("--size", s.size, "Cells along a side of the sheet")
        ->check(whole_number(static_cast<double>(least_excitation_size), static_cast<double>(most_excitation_size)))
        ->capture_default_str();
    CLI::Option* time = command->add_option("--time", s.time, "Time to step to, in units of the model (about 13 ms)")
                            ->check(number_from(0, 1e9))
                            ->capture_default_str();
    CLI::Option* steps = command->add_option("--steps", arguments->steps, "Number of steps instead of a time")
                             ->check(whole_number(0, 1e9))
                             ->excludes(time);
    CLI::Option* dt =
        command->add_option("--dt", arguments->dt, "Time of a step (default: 95 % of what is surely stable)")
            ->check(number_above(0, 1e9));
    command->add_option("--precision", s.precision, "double or single")
        ->transform(named_choice<Precision>({{"double", Precision::double_}, {"single", Precision::single}}));
    add_device_options(*command, s.device, s.thread_count, "auto, cpu, cuda or cuda:N");
    CLI::Option* out = command->add_option("--out", arguments->out, "HDF5 file of the frames and the last state");
    CLI::Option* movie =
        command->add_option("--movie", arguments->movie, "Folder for a PNG of each frame and all as movie.png");
    CLI::Option* every = command
                             ->add_option("--every", arguments->every,
                                          "Time from frame to frame (default: a hundredth of all for --movie, else "
                                          "no frames)")
                             ->check(number_above(0, 1e9));
    command->add_option("--resume", s.resume,
                        "Go on from the last state of this file, which --out of an earlier run wrote");
    command->add_option("--json", arguments->json, "The report as JSON");
    command->add_flag("--quiet", arguments->quiet, "No progress");
    command->callback([=] {
        heart::Settings& settings = arguments->settings;
        if (steps->count() > 0) {
            settings.steps = arguments->steps;
        }
        if (dt->count() > 0) {
            settings.dt = arguments->dt;
        }
        if (every->count() > 0 && out->count() == 0 && movie->count() == 0) {
            throw UsageError("--every: frames go to --out FILE or --movie FOLDER; expected one of them");
        }
        settings.frame_interval = arguments->every;
        settings.hundred_frames = movie->count() > 0 && every->count() == 0;
        run_watched(*arguments);
    });
}

}  // namespace recon
