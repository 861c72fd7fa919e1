#include "app/cli/check_command.hpp"

#include <fmt/format.h>

#include <memory>
#include <set>

#include "app/cli/scan/scan_command_line.hpp"
#include "app/cli/shell/option_names.hpp"
#include "app/cli/stream/standard_streams.hpp"
#include "app/cli/trust/trust_command_line.hpp"
#include "app/reconstruction/check/fix_advice.hpp"
#include "app/reconstruction/check/left_out_samples.hpp"
#include "app/reconstruction/check/scan_check.hpp"
#include "app/reconstruction/coils/coil_inputs.hpp"
#include "app/reconstruction/margin/room.hpp"
#include "app/report/check_record.hpp"
#include "core/base/error.hpp"
#include "core/base/log.hpp"
#include "core/base/shape.hpp"
#include "core/devices/device_choice.hpp"
#include "data/files/file_identity.hpp"
#include "data/files/json_writer.hpp"
#include "data/reading/format.hpp"
#include "data/reading/output_name.hpp"
#include "data/reading/scan_reader.hpp"

namespace recon {
namespace {

struct CheckCommandLine {
    std::string scan_path;
    ScanCommandLine scan;
    std::string coil_maps;
    std::string fix;
    std::string json_path;
    std::string device = "cpu";
    bool verbose = false;
    std::set<std::string> option_names;  ///< of the program
};

void run(CheckCommandLine& options) {
    const std::unique_ptr<const SpooledInput> stdin_file = open_stdin(options.scan_path);
    set_log_level(options.verbose ? LogLevel::debug : LogLevel::warning);
    const std::vector<NamedFile> outputs{{"--json", options.json_path}};
    require_outputs_apart(std::vector<NamedFile>{{"the command", with_extension(options.scan_path)},
                                                 {"--trajectory", with_extension(options.scan.trajectory)},
                                                 {"--coil-maps", with_extension(options.coil_maps)}},
                          outputs);
    require_fitting_names(outputs);
    ScanReadOptions reading = read_options(options.scan);
    reading.fixes = read_fixes(options.fix);
    reading.coil_maps = file_of_coil_maps(with_extension(options.coil_maps));
    Scan scan = read_scan(with_extension(options.scan_path), reading);
    CoilOptions coils;
    read_coil_inputs(scan, with_extension(options.coil_maps), "", coils);
    for (const ScanFix& fix : reading.fixes) {
        if (fix.is_of_maps()) {
            apply(fix, scan);
        }
    }
    const std::size_t frame_count = scan.frames.size();
    scan.frames.resize(1);
    scan.frames.front().load();
    const LeftOutSamples left_out = leave_out_unmeasured(scan);
    const auto backend = make_backend(options.device);
    make_room(scan, {}, *backend);
    ScanCheck check = check_scan_physics(scan, *backend);
    add_findings(left_out, check);
    for (CheckFinding& finding : check.findings) {
        finding.text = with_options(finding.text, options.option_names);
    }
    fmt::print("{}: {}\n", with_stream_names(options.scan_path), name_of(check.verdict));
    fmt::print("  {}\n", residual_text(check));
    if (frame_count > 1) {
        fmt::print("  looked at the first of {} frames (--select takes another)\n", frame_count);
    }
    for (const CheckFinding& finding : check.findings) {
        const std::string mending = with_options(fix_advice(finding.fix, reading.fixes), options.option_names);
        fmt::print("  {}: {}{}\n", finding.kind, finding.text, mending.empty() ? "" : " -> " + mending);
    }
    if (options.verbose) {
        for (const CheckTrial& trial : check.trials) {
            fmt::print("    {:<20} {:.4f}\n", trial.fix.text(), trial.residual);
        }
    }
    if (!options.json_path.empty()) {
        write_json(options.json_path, scan_check_record(check));
    }
    if (check.verdict == CheckVerdict::doubtful) {
        throw Error(fmt::format("{}: the scan is doubtful, see above", options.scan_path), ErrorKind::doubtful);
    }
    if (check.verdict == CheckVerdict::unusable) {
        throw InputError(fmt::format("{}: k-space is zero throughout", options.scan_path));
    }
}

}  // namespace

void add_check_command(CLI::App& app) {
    const auto options = std::make_shared<CheckCommandLine>();
    CLI::App* command = app.add_subcommand("check", "Look for the usual mistakes in a scan");
    command->add_option("scan", options->scan_path, "Scan to look at; -: what lies on stdin")->required();
    add_scan_options(*command, options->scan);
    command->add_option("--coil-maps", options->coil_maps, "Its coil maps, if they are in a file of their own");
    command->add_option("--fix", options->fix, "Changes to apply first");
    command->add_option("--json", options->json_path, "Write verdict and findings as JSON");
    command->add_flag("--verbose", options->verbose, "Every reading that was tried, with its residual");
    command->callback([&app, options] {
        options->option_names = option_names(app);
        run(*options);
    });
}

}  // namespace recon
