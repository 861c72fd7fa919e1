#include "app/cli/ladder_command.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <memory>

#include "app/cli/shell/named_choice.hpp"
#include "app/cli/shell/number_range.hpp"
#include "app/cli/shell/study_outputs.hpp"
#include "app/studies/heart/heart_ladder_report.hpp"
#include "app/studies/ladder/ladder.hpp"
#include "app/studies/ladder/ladder_report.hpp"
#include "core/base/error.hpp"
#include "core/base/log.hpp"

namespace recon {
namespace {

struct LadderArguments {
    std::string story = "sums";
    ladder::Settings settings;
    heart::LadderSettings heart;
    Index size = 0;
    std::string json;
    std::string html;
    bool list = false;
};

template <class Steps>
void list_steps(const Steps& steps) {
    for (const auto& step : steps) {
        fmt::print("{:<20} {}\n{:<20} {}\n{:<20} bound: {}\n", step.id, step.title, "", step.change, "", step.bound);
    }
}

/// Without the line break at its end.
std::string broken_off(std::string text) {
    if (text.ends_with('\n')) {
        text.pop_back();
    }
    return text;
}

void run_heart(const LadderArguments& arguments) {
    if (arguments.list) {
        list_steps(heart::all_steps());
        return;
    }
    set_log_level(LogLevel::warning);
    probe_outputs({{"--json", arguments.json}, {"--html", arguments.html}});
    PrintedTable table(broken_off(heart::ladder_head()));
    const heart::LadderReport report = heart::climb(arguments.heart, [&](const heart::LadderRecord& record) {
        table.line(broken_off(heart::ladder_line(record)));
    });
    fmt::print("{}", heart::ladder_foot(report));
    write_json_if_asked(arguments.json, heart::ladder_json(report, arguments.heart));
    write_page_if_asked(arguments.html, heart::ladder_page(report));
}

void run(const LadderArguments& arguments) {
    if (arguments.list) {
        list_steps(ladder::all_steps());
        return;
    }
    set_log_level(LogLevel::warning);
    probe_outputs({{"--json", arguments.json}, {"--html", arguments.html}},
                  {{"--input", arguments.settings.input}, {"--check", arguments.settings.reference}});
    PrintedTable table(broken_off(ladder::table_head()));
    const ladder::Report report = ladder::climb(arguments.settings, [&](const ladder::StepRecord& record) {
        table.line(broken_off(ladder::table_line(record)));
    });
    fmt::print("\n{}\nCPU: {}\nGPU: {}\n", report.problem, report.cpu, report.gpu);
    fmt::print("errors: relative L2 against sums in double at {} voxels", report.error_voxel_count);
    fmt::print("{}\n",
               report.image.empty() ? "" : "; image: against the one made with sums in double, of " + report.image);
    write_json_if_asked(arguments.json, report_json(report, arguments.settings));
    write_page_if_asked(arguments.html, report_page(report));
    for (const ladder::StepRecord& step : report.steps) {
        if (step.sums[0].check && !step.sums[0].check->passed()) {
            throw CheckFailed(fmt::format(
                "step {}: Q differs from {}: {} of {} numbers are outside Parboil's tolerance", step.step.id,
                arguments.settings.reference, step.sums[0].check->wrong_count, step.sums[0].check->number_count));
        }
    }
}

}  // namespace

void add_ladder_command(CLI::App& app) {
    CLI::App* command =
        app.add_subcommand("ladder", "The fastest kernels of this program, step by step, measured on this machine");
    const auto arguments = std::make_shared<LadderArguments>();
    ladder::Settings& s = arguments->settings;
    command->footer(
        "Q and F^H d as a course would write them, from one CPU thread to tensor cores; time, operations a second by "
        "the originals' counting, the bound that holds each step and its error. docs/case-study.md tells the story.\n\n"
        "  recon ladder --html ladder.html\n"
        "  recon ladder --story heart --html heart.html\n"
        "  recon ladder --size 128 --samples 65536 --steps base,tune,split-half\n"
        "  recon ladder --input 32_32_32_dataset.bin --check 32_32_32_dataset.out");
    command
        ->add_option("--story", arguments->story,
                     "sums: Q and F^H d of Stone 2008; heart: waves of excitation in heart muscle (docs/heart.md)")
        ->transform(one_of({"sums", "heart"}))
        ->capture_default_str();
    CLI::Option* size = command
                            ->add_option("--size", arguments->size,
                                         "Voxels along each axis of a random problem [64], or cells along a side of "
                                         "the heart's sheet [1024]")
                            ->check(whole_number(1, 32768));
    CLI::Option* time = command->add_option("--time", arguments->heart.time, "Time to step to, for --story heart")
                            ->check(number_above(0, 1e9))
                            ->capture_default_str();
    CLI::Option* samples =
        command
            ->add_option("--samples", s.samples,
                         "Samples of the random problem [2048], or the first so many of the input [all]")
            ->check(whole_number(1, 1e9));
    CLI::Option* seed =
        command->add_option("--seed", s.seed, "Seed of the random problem")->check(seeds())->capture_default_str();
    CLI::Option* input =
        command->add_option("--input", s.input, "A file of Parboil's layout instead of a random problem")
            ->excludes(size);
    command->add_option("--check", s.reference, "Compare every step's Q with this output by Parboil's own tolerance")
        ->needs(input);
    command->add_option("--steps", s.steps, "Steps to take, by the names that --list gives [all]")->delimiter(',');
    command->add_flag("--list", arguments->list, "List the steps and leave");
    CLI::Option* repeat =
        command->add_option("--repeat", s.repeat, "Runs of each step, of which the median counts (heart: 3)")
            ->check(whole_number(1, 1e6))
            ->capture_default_str();
    command
        ->add_option("--time-limit", s.time_limit_s,
                     "Seconds for one run of one sum, or of the heart; slower ones are timed on what fits")
        ->check(number_above(0, 1e9))
        ->capture_default_str();
    CLI::Option* image = command
                             ->add_option("--image-size", s.image_size,
                                          "Voxels along each axis of the image reconstructed with each step's sums, 0 "
                                          "for none [20; none with --input]")
                             ->check(number_or(whole_number(8, 256), {"0"}));
    command->add_option("--json", arguments->json, "All figures as JSON");
    command->add_option("--html", arguments->html, "Tables and plots as one page");
    command->add_option("--device", s.device, "auto: the CPU and all GPUs; cpu")
        ->transform(one_of({"auto", "cpu"}))
        ->capture_default_str();
    command->add_option("--threads", s.thread_count, "CPU threads (default: all cores)")->check(threads());
    command->callback([=] {
        if (arguments->story == "heart") {
            for (const CLI::Option* of_sums : {samples, seed, input, image}) {
                if (of_sums->count() > 0) {
                    throw UsageError(of_sums->get_name() + ": belongs to --story sums");
                }
            }
            heart::LadderSettings& settings = arguments->heart;
            settings.size = size->count() > 0 ? arguments->size : settings.size;
            settings.repeat = repeat->count() > 0 ? arguments->settings.repeat : settings.repeat;
            settings.steps = arguments->settings.steps;
            settings.time_limit_s = arguments->settings.time_limit_s;
            settings.device = arguments->settings.device;
            settings.thread_count = arguments->settings.thread_count;
            run_heart(*arguments);
            return;
        }
        if (time->count() > 0) {
            throw UsageError("--time: belongs to --story heart");
        }
        if (arguments->size > 512) {
            throw UsageError(fmt::format("--size: {} voxels along each axis, expected 1 to 512", arguments->size));
        }
        arguments->settings.size = size->count() > 0 ? arguments->size : arguments->settings.size;
        if (input->count() > 0) {
            arguments->settings.samples = samples->count() > 0 ? arguments->settings.samples : 0;
            arguments->settings.image_size = image->count() > 0 ? arguments->settings.image_size : 0;
        }
        run(*arguments);
    });
}

}  // namespace recon
