#include "app/cli/scan/info_command.hpp"

#include <fmt/format.h>

#include <memory>

#include "app/cli/scan/scan_command_line.hpp"
#include "app/cli/shell/option_names.hpp"
#include "app/cli/stream/standard_streams.hpp"
#include "core/base/log.hpp"
#include "data/describe_file.hpp"
#include "data/reading/format.hpp"

namespace recon {

void add_info_command(CLI::App& app) {
    struct Arguments {
        std::string path;
        ScanCommandLine scan;
    };
    CLI::App* command = app.add_subcommand("info", "Describe any file that recon reads: a scan, an image, coil maps");
    const auto arguments = std::make_shared<Arguments>();
    command
        ->add_option("file", arguments->path,
                     "Any file that recon reads; FILE:/dataset, FOLDER:/5: an image in it; -: what lies on stdin")
        ->required();
    add_scan_options(*command, arguments->scan);
    command->callback([arguments, &app] {
        set_log_level(LogLevel::warning);
        const std::unique_ptr<const SpooledInput> stdin_file = open_stdin(arguments->path);
        const std::string text = describe_file(with_extension(arguments->path), read_options(arguments->scan));
        fmt::print("{}", with_stream_names(with_options(text, option_names(app))));
    });
}

}  // namespace recon
