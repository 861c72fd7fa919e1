#include "app/cli/study/stone_command.hpp"

#include <fmt/format.h>

#include <memory>

#include "app/cli/shell/named_choice.hpp"
#include "app/cli/shell/number_range.hpp"
#include "app/cli/shell/study_outputs.hpp"
#include "app/studies/stone2008/stone_report.hpp"
#include "core/base/log.hpp"

namespace recon {
namespace {

constexpr double published_size = 64;
constexpr double published_samples = 3.2e6;

struct StoneArguments {
    stone::Settings times;
    stone::ImageSettings image;
    std::string half = "both";
    std::string json, html, png;
    bool list = false;
};

void run(const StoneArguments& arguments) {
    if (arguments.list) {
        for (const auto& [id, title] : stone::row_names()) {
            print_line(fmt::format("{:<20}{}", id, title));
        }
        return;
    }
    set_log_level(LogLevel::warning);
    probe_outputs({{"--json", arguments.json}, {"--html", arguments.html}, {"--png", arguments.png}});
    stone::StudyReport report;
    if (arguments.half != "image") {
        PrintedTable table("Times\n" + stone::table_head());
        report.times = stone::run_study(arguments.times, [&](const stone::Row& row) { table.line(table_line(row)); });
        print_line("\n" + stone::table_notes(*report.times));
    }
    if (arguments.half != "times") {
        PrintedTable images("Image\n" + stone::image_head()), steps("\n" + stone::step_image_head());
        report.image = stone::run_image_half(
            arguments.image, [&](const stone::ImageRow& row) { images.line(image_line(row)); },
            [&](const stone::StepImageRow& row) { steps.line(step_image_line(row)); });
        print_line("\n" + stone::image_notes(*report.image));
        if (!arguments.png.empty()) {
            stone::write_picture(arguments.png, *report.image);
        }
    }
    write_json_if_asked(arguments.json, stone::report_json(report));
    write_page_if_asked(arguments.html, stone::report_page(report));
}

void add_image_options(CLI::App& command, stone::ImageSettings& image) {
    command.add_option("--image-snr", image.snr, "SNR of the image half, as of recon simulate; inf for no noise")
        ->check(number_above_or_infinite(0, 1e12))
        ->capture_default_str();
    command.add_option("--image-seed", image.seed, "Seed of its noise")->check(seeds())->capture_default_str();
    command.add_option("--image-iterations", image.iterations, "Iterations with a prior")
        ->check(whole_number(1, 100000))
        ->capture_default_str();
    command
        .add_option("--image-time-limit", image.time_limit_s,
                    "Seconds for Q and F^H d of one step with W in place; a slower step makes no image")
        ->check(number_above(0, 1e9))
        ->capture_default_str();
}

void add_times_options(CLI::App& command, stone::Settings& settings) {
    command.add_option("--repeat", settings.repeat, "Run each sum so many times and report the median")
        ->check(whole_number(1, 1e6))
        ->capture_default_str();
    command
        .add_option(
            "--time-limit", settings.time_limit_s,
            "Seconds for one run of one sum; a slower one is measured on a part of the samples and extrapolated")
        ->check(number_above(0, 1e9))
        ->capture_default_str();
    command.add_option("--iterations", settings.iterations, "Iterations of conjugate gradients")
        ->check(whole_number(1, 100000))
        ->capture_default_str();
    command.add_option("--snr", settings.snr, "SNR of the times half, as of recon simulate; inf for no noise")
        ->check(number_above_or_infinite(0, 1e12))
        ->capture_default_str();
    command.add_option("--seed", settings.seed, "Seed of its noise")->check(seeds())->capture_default_str();
}

}  // namespace

void add_stone_command(CLI::App& study) {
    CLI::App* command = study.add_subcommand(
        "stone2008",
        "The experiment of Stone 2008, beside its published figures (docs/stone-2008.md).\n"
        "Times: a 3-D spiral scan of a known volume, by gridding + FFT and by least squares with every step of the "
        "optimisation ladder. Image: a noisy sodium scan with anatomical constraints W.");
    command->footer(
        "  recon study stone2008 --html stone.html          both halves, 64^3 and 128^3\n"
        "  recon study stone2008 --size 16                  small: 16^3 and 32^3");
    const auto arguments = std::make_shared<StoneArguments>();
    stone::Settings& times = arguments->times;
    stone::ImageSettings& image = arguments->image;
    command->add_option("--half", arguments->half, "times, image or both")
        ->transform(one_of({"times", "image", "both"}))
        ->capture_default_str();
    command
        ->add_option("--size", times.size, "Voxels along each axis of the times half; the image half has twice as many")
        ->check(whole_number(2, 1024))
        ->capture_default_str();
    CLI::Option* image_size =
        command->add_option("--image-size", image.size, "Voxels along each axis of the image half [2 x --size]")
            ->check(whole_number(8, 1024));
    CLI::Option* samples =
        command
            ->add_option("--samples", times.samples,
                         "About so many samples of the times half [3.2e6 for 64^3 voxels, in proportion for others]")
            ->check(whole_number(2, 2e9));
    command->add_option("--steps", times.steps, "Rows to run, separated by commas (default: all; --list names them)")
        ->delimiter(',');
    add_times_options(*command, times);
    add_image_options(*command, image);
    add_device_options(*command, times.device, times.thread_count);
    command->add_option("--json", arguments->json, "Write all figures as JSON");
    command->add_option("--html", arguments->html, "Tables, plots and pictures as one page");
    command->add_option("--png", arguments->png, "Picture of the image half's rows side by side");
    command->add_flag("--list", arguments->list, "Name the rows and stop");
    command->callback([=] {
        stone::Settings& settings = arguments->times;
        if (samples->count() == 0) {
            const double scale = static_cast<double>(settings.size) / published_size;
            settings.samples = static_cast<Index>(published_samples * scale * scale * scale);
        }
        if (image_size->count() == 0) {
            arguments->image.size = std::max<Index>(8, 2 * settings.size);
        }
        arguments->image.steps = settings.steps;
        arguments->image.device = settings.device;
        arguments->image.thread_count = settings.thread_count;
        run(*arguments);
    });
}

}  // namespace recon
