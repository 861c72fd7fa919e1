#include "app/cli/study/trio_command.hpp"

#include <memory>

#include "app/cli/shell/number_range.hpp"
#include "app/cli/shell/study_outputs.hpp"
#include "app/studies/trio/trio_study.hpp"
#include "core/base/log.hpp"

namespace recon {

void add_trio_command(CLI::App& study) {
    struct Arguments {
        trio::Settings settings;
        double repetition_time_ms = 25;
        std::string json, png;
    };
    CLI::App* command = study.add_subcommand(
        "trio",
        "One slice by Cartesian FFT, gridded spiral and least squares: scan time, reconstruction time, error "
        "(docs/case-study.md)");
    const auto arguments = std::make_shared<Arguments>();
    trio::Settings& settings = arguments->settings;
    command->add_option("--size", settings.size, "Voxels along each axis of the slice")
        ->check(whole_number(16, 4096))
        ->capture_default_str();
    command->add_option("--coils", settings.coils, "Receive coils")
        ->check(whole_number(1, 1024))
        ->capture_default_str();
    command->add_option("--snr", settings.snr, "As of recon simulate; inf for no noise")
        ->check(number_above_or_infinite(0, 1e12))
        ->capture_default_str();
    command->add_option("--undersampling", settings.undersampling, "Of the spiral")
        ->check(number_above(0, 1e3))
        ->capture_default_str();
    command->add_option("--repetition-time", arguments->repetition_time_ms, "Time from readout to readout in ms")
        ->check(number_above(0, 1e6))
        ->capture_default_str();
    command->add_option("--iterations", settings.iterations, "Iterations of plain least squares")
        ->check(whole_number(1, 100000))
        ->capture_default_str();
    command->add_option("--seed", settings.seed, "Seed of the noise")->check(seeds())->capture_default_str();
    add_device_options(*command, settings.device, settings.thread_count);
    command->add_option("--json", arguments->json, "Write the table as JSON");
    command->add_option("--png", arguments->png, "Picture of truth and images side by side");
    command->callback([arguments] {
        set_log_level(LogLevel::warning);
        probe_outputs({{"--json", arguments->json}, {"--png", arguments->png}});
        arguments->settings.repetition_time_s = 1e-3 * arguments->repetition_time_ms;
        PrintedTable table(trio::table_head());
        const trio::Report report =
            trio::run_study(arguments->settings, [&](const trio::Row& row) { table.line(trio::table_line(row)); });
        write_json_if_asked(arguments->json, trio::report_json(report));
        if (!arguments->png.empty()) {
            trio::write_picture(arguments->png, report);
        }
    });
}

}  // namespace recon
