#include "app/cli/info_command.hpp"

#include <fmt/format.h>

#include <memory>

#include "app/cli/shell/option_names.hpp"
#include "core/base/log.hpp"
#include "data/describe_file.hpp"

namespace recon {

void add_info_command(CLI::App& app) {
    CLI::App* command = app.add_subcommand("info", "Describe a scan, an image or coil maps");
    const auto path = std::make_shared<std::string>();
    command->add_option("file", *path, "Any file that recon reads")->required();
    command->callback([path, &app] {
        set_log_level(LogLevel::warning);
        fmt::print("{}", with_options(describe_file(*path), option_names(app)));
    });
}

}  // namespace recon
