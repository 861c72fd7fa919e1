#include "app/cli/study/sodium_command.hpp"

#include <memory>

#include "app/cli/shell/number_range.hpp"
#include "app/cli/shell/study_outputs.hpp"
#include "app/studies/sodium/sodium_study.hpp"
#include "core/base/log.hpp"

namespace recon {

void add_sodium_command(CLI::App& study) {
    struct Arguments {
        sodium::Settings settings;
        double repetition_time_ms = 100;
        double echo_time_ms = 0.3;
        std::string out, json, png;
    };
    CLI::App* command =
        study.add_subcommand("sodium",
                             "A sodium map in mmol/l with its standard deviation, of a head beside calibration "
                             "phantoms.\n"
                             "Corrected for saturation and for the two-component T2*, against the true concentrations");
    const auto arguments = std::make_shared<Arguments>();
    sodium::Settings& settings = arguments->settings;
    command->add_option("--size", settings.size, "Voxels along each axis")
        ->check(whole_number(24, 512))
        ->capture_default_str();
    command->add_option("--snr", settings.snr, "As of recon simulate; inf for no noise")
        ->check(number_above_or_infinite(0, 1e12))
        ->capture_default_str();
    command->add_option("--seed", settings.seed, "Seed of the noise")->check(seeds())->capture_default_str();
    command->add_option("--repetition-time", arguments->repetition_time_ms, "TR in ms")
        ->check(number_above(0, 1e6))
        ->capture_default_str();
    command->add_option("--echo-time", arguments->echo_time_ms, "TE in ms")
        ->check(number_from(0, 1e5))
        ->capture_default_str();
    command->add_option("--flip", settings.sequence.flip_degrees, "Flip angle in degrees")
        ->check(number_above(0, 180))
        ->capture_default_str();
    command
        ->add_option("--uncertainty-samples", settings.uncertainty_samples,
                     "Samples of the image's error behind the standard deviation")
        ->check(whole_number(1, 1000))
        ->capture_default_str();
    add_device_options(*command, settings.device, settings.thread_count);
    command->add_option("--out", arguments->out, "The map (HDF5), /concentration/sd with it");
    command->add_option("--json", arguments->json, "Write the table as JSON");
    command->add_option("--png", arguments->png, "Picture of the map and its standard deviation");
    command->callback([arguments] {
        set_log_level(LogLevel::warning);
        probe_outputs({{"--out", arguments->out}, {"--json", arguments->json}, {"--png", arguments->png}});
        arguments->settings.sequence.repetition_time_s = 1e-3 * arguments->repetition_time_ms;
        arguments->settings.sequence.echo_time_s = 1e-3 * arguments->echo_time_ms;
        const sodium::Report report = sodium::run_study(arguments->settings);
        print_line(sodium::report_text(report));
        write_json_if_asked(arguments->json, sodium::report_json(report));
        if (!arguments->out.empty()) {
            sodium::write_map(arguments->out, report);
        }
        if (!arguments->png.empty()) {
            sodium::write_picture(arguments->png, report);
        }
    });
}

}  // namespace recon
