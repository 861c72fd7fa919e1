#include "app/cli/heart/heart_command.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>

#include "app/cli/shell/launch.hpp"
#include "app/cli/shell/named_choice.hpp"
#include "app/cli/shell/number_range.hpp"
#include "app/cli/shell/option_names.hpp"
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
    std::string geometry;
    Index halo = 0;
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

/// "8x4"
RankGeometry parse_geometry(const std::string& text) {
    RankGeometry geometry;
    int end = 0;
    if (std::sscanf(text.c_str(), "%dx%d%n", &geometry.rows, &geometry.columns, &end) != 2 ||
        end != static_cast<int>(text.size()) || geometry.rows < 1 || geometry.columns < 1) {
        throw UsageError(
            fmt::format("--ranks-geometry {}: expected ranks below and beside each other, such as 8x4", text));
    }
    return geometry;
}

/// What one of several ranks does: rank 0 alone speaks and writes.
void adapt_to_ranks(HeartArguments& arguments, ProcessGroup* group) {
    heart::Settings& settings = arguments.settings;
    const bool communicates = settings.ranked.communicates;
    if (group == nullptr) {
        if (!arguments.geometry.empty() || arguments.halo > 0 || !communicates) {
            throw UsageError(
                "--ranks-geometry, --halo and --no-communication are of several ranks: mpirun -n 32 recon heart "
                "--ranks-geometry 8x4");
        }
        return;
    }
    if (!communicates && !(arguments.out.empty() && arguments.movie.empty())) {
        throw UsageError("--no-communication: the numbers are wrong then; expected neither --out nor --movie");
    }
    settings.ranks = group;
    settings.ranked.geometry =
        arguments.geometry.empty() ? near_square(group->size()) : parse_geometry(arguments.geometry);
    settings.ranked.halo = std::max<Index>(1, arguments.halo);
    settings.thread_count = settings.thread_count > 0 ? settings.thread_count : threads_of_rank(*group);
    if (group->rank() > 0) {
        arguments.out.clear();
        arguments.movie.clear();
        arguments.json.clear();
        arguments.quiet = true;
    }
}

void run(const HeartArguments& arguments) {
    const ProcessGroup* const group = arguments.settings.ranks;
    set_log_level(arguments.quiet ? LogLevel::warning : LogLevel::info);
    const bool keeps_frames = arguments.settings.resume == arguments.out;
    probe_outputs({{"--out", arguments.out}, {"--json", arguments.json}},
                  {{"--resume", keeps_frames ? "" : arguments.settings.resume}});
    std::optional<heart::HeartFile> file;
    std::optional<heart::Movie> movie;
    ProgressLine progress(arguments.quiet);
    std::optional<ExcitationState> last;
    heart::Listener listener;
    listener.begin = [&](const ExcitationSetup& setup, Index frame_count, Index first_frame_step) {
        log_info("heart: {0} x {0} cells, steps of {1:.6g}, {2} frames", setup.size, setup.time_step, frame_count);
        if (!arguments.out.empty()) {
            file.emplace(arguments.out, setup, frame_count,
                         heart::EarlierFrames{keeps_frames ? arguments.settings.resume : "", first_frame_step});
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
    if (group == nullptr || group->rank() == 0) {
        std::fputs(heart::report_text(report).c_str(), stdout);
    }
}

/// @throws Cancelled saying what has become of the outputs
void run_watched(HeartArguments& arguments, ProcessGroup* group) {
    adapt_to_ranks(arguments, group);
    CancelSource source;
    if (group != nullptr) {
        group->watch(source);
    }
    const CancelToken token(source);
    const CancelBinding bound(token);
    const SignalWatch watch(source);
    try {
        run(arguments);
    } catch (const Cancelled&) {
        const std::string frames = arguments.movie.empty() ? "" : "; " + arguments.movie + " holds frames up to here";
        throw Cancelled((arguments.out.empty() ? "no file was written" : arguments.out + " is as it was before") +
                        frames);
    }
}

}  // namespace

void add_heart_command(CLI::App& app) {
    CLI::App* command = app.add_subcommand(
        "heart", "Waves of excitation in heart muscle, by the model of Aliev and Panfilov on a sheet");
    command->footer(
        "Prints grid, time, step, speed, Linf = max E and L2 = sqrt(mean E^2). docs/heart.md has the equations.\n\n"
        "  recon heart --movie frames --every 5\n"
        "  recon heart --size 1024 --time 500 --device cuda --out heart.h5 --every 5\n"
        "  mpirun -n 32 recon heart --size 1024 --ranks-geometry 8x4");
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
    add_device_options(*command, s.device, s.thread_count,
                       "auto, cpu, cuda, cuda:N, or several GPUs with a strip of the sheet each: cuda:M,N, cuda:all");
    CLI::Option* out = command->add_option("--out", arguments->out, "HDF5 file of the frames and the last state");
    CLI::Option* movie =
        command->add_option("--movie", arguments->movie, "Folder for a PNG of each frame and all as movie.png");
    CLI::Option* every = command
                             ->add_option("--every", arguments->every,
                                          "Time from frame to frame (default: a hundredth of all for --movie, else "
                                          "no frames)")
                             ->check(number_above(0, 1e9));
    command->add_option("--resume", s.resume,
                        "Go on from the last state of this file, which --out of an earlier run wrote; with --out of "
                        "the same name its frames are kept");
    command->add_option("--json", arguments->json, "The report as JSON");
    command->add_flag("--quiet", arguments->quiet, "No progress");
    const std::string group = "Of several ranks (mpirun, srun)";
    command
        ->add_option("--ranks-geometry", arguments->geometry,
                     "Ranks below and beside each other, such as 8x4 (default: nearly square)")
        ->group(group);
    command
        ->add_option("--halo", arguments->halo,
                     "Cells of its neighbours that a rank has: messages go every so many steps [1]")
        ->check(whole_number(1, 64))
        ->group(group);
    command
        ->add_flag("!--no-communication", s.ranked.communicates,
                   "No messages between the ranks: the time of the steps alone, with wrong numbers")
        ->group(group);
    command->callback([=, &app] {
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
        if (is_one_of_several()) {
            run_with_others(option_names(app), [&](ProcessGroup* group) { run_watched(*arguments, group); });
        } else {
            run_watched(*arguments, nullptr);
        }
    });
}

}  // namespace recon
