#include "app/cli/reconstruct_command.hpp"

#include <fmt/format.h>

#include <memory>

#include "app/cli/reconstruct_command_line.hpp"
#include "app/cli/reconstruction_run.hpp"
#include "app/cli/scan/scan_word.hpp"
#include "app/cli/shell/launch.hpp"
#include "app/cli/shell/option_names.hpp"
#include "app/cli/shell/options_in_force.hpp"
#include "app/cli/stream/standard_streams.hpp"
#include "core/base/error.hpp"

namespace recon {

void add_reconstruct_command(CLI::App& app) {
    const auto line = std::make_shared<ReconstructCommandLine>();
    add_reconstruct_options(app, *line);
    app.callback([&app, line] {
        if (app.get_subcommands().empty()) {
            if (line->print_config) {
                fmt::print("{}", config_text(app));
                return;
            }
            line->given = options_in_force(app);
            if (app.count("--prior") == 0) {
                line->given["prior"] = app.count("--lambda") > 0 ? "identity" : "scan";
            }
            line->command = command_text(app);
            if (!line->beside.empty() && !line->scan_path.empty()) {
                throw UsageError(
                    fmt::format("{} and --scan {} are two scans; give one", line->beside, line->scan_path));
            }
            if (!line->beside.empty()) {
                require_existing_file(line->beside, app);
                line->scan_path = line->beside;
                line->given["scan"] = line->beside;
                if (app.count("--out") == 0) {
                    line->out_path = image_path_beside(line->beside);
                    line->given["out"] = line->out_path;
                }
            }
            if (line->scan_path.empty()) {
                refuse_scan_taken_for_a_value(app);
            }
            const std::unique_ptr<const SpooledInput> stdin_file = open_stdin(line->scan_path);
            if (line->out_path == standard_stream) {
                line->out_path = standard_output;
            }
            line->option_names = option_names(app);
            if (line->reconstruct.divide != RankDivision::none && is_one_of_several()) {
                run_with_others(line->option_names, [&](ProcessGroup* group) { run_reconstruction(*line, group); });
            } else {
                run_reconstruction(*line, nullptr);
            }
        }
    });
}

}  // namespace recon
