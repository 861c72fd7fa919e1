#include "app/cli/study_command.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <memory>

#include "app/cli/shell/number_range.hpp"
#include "app/studies/stone2008/stone_report.hpp"
#include "data/files/atomic_output.hpp"
#include "data/files/json_writer.hpp"

namespace recon {
namespace {

struct StudyArguments {
    stone::Settings settings;
    std::string json;
    bool list = false;
};

void print_line(const std::string& line) {
    std::printf("%s\n", line.c_str());
    std::fflush(stdout);
}

void run(const StudyArguments& arguments) {
    if (arguments.list) {
        for (const auto& [id, title] : stone::row_names()) {
            print_line(fmt::format("{:<20}{}", id, title));
        }
        return;
    }
    if (!arguments.json.empty()) {
        const AtomicOutput probe(arguments.json);  // fails now rather than after the work
    }
    print_line(stone::table_head());
    const stone::Report report =
        stone::run_study(arguments.settings, [](const stone::Row& row) { print_line(stone::table_line(row)); });
    print_line("\n" + stone::table_notes(report));
    if (!arguments.json.empty()) {
        write_json(arguments.json, stone::report_json(report));
    }
}

}  // namespace

void add_study_command(CLI::App& app) {
    CLI::App* study = app.add_subcommand("study", "Repeat the experiment of a paper");
    study->require_subcommand(1);
    CLI::App* command = study->add_subcommand("stone2008",
                                              "Simulate a 3-D spiral scan of a known volume; reconstruct by gridding + "
                                              "FFT and by least squares with every step\n"
                                              "of the optimisation ladder; print times, GFLOP/s, error and PSNR beside "
                                              "the published ones (docs/stone-2008.md)");
    const auto arguments = std::make_shared<StudyArguments>();
    stone::Settings& settings = arguments->settings;
    command->add_option("--size", settings.size, "Voxels along each axis")
        ->check(whole_number(2, 1024))
        ->capture_default_str();
    command->add_option("--samples", settings.samples, "About so many samples")
        ->check(whole_number(2, 2e9))
        ->capture_default_str();
    command->add_option("--steps", settings.steps, "Rows to run, separated by commas (default: all; --list names them)")
        ->delimiter(',');
    command->add_option("--repeat", settings.repeat, "Run each sum so many times and report the median")
        ->check(whole_number(1, 1e6))
        ->capture_default_str();
    command
        ->add_option(
            "--time-limit", settings.time_limit_s,
            "Seconds for one run of one sum; a slower one is measured on a part of the samples and extrapolated")
        ->check(number_above(0, 1e9))
        ->capture_default_str();
    command->add_option("--iterations", settings.iterations, "Iterations of conjugate gradients")
        ->check(whole_number(1, 100000))
        ->capture_default_str();
    command->add_option("--snr", settings.snr, "As of recon simulate; inf for no noise")
        ->check(number_above_or_infinite(0, 1e12))
        ->capture_default_str();
    command->add_option("--seed", settings.seed, "Seed of the noise")->check(seeds())->capture_default_str();
    command->add_option("--device", settings.device, "auto, cpu or cuda:N")->capture_default_str();
    command->add_option("--threads", settings.thread_count, "CPU threads (default: all cores)")->check(threads());
    command->add_option("--json", arguments->json, "Write the table as JSON");
    command->add_flag("--list", arguments->list, "Name the rows and stop");
    command->callback([arguments] { run(*arguments); });
}

}  // namespace recon
