#include "app/cli/report/report_command.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <vector>

#include "app/report/page/report_page.hpp"
#include "core/base/log.hpp"
#include "data/files/file_identity.hpp"

namespace recon {

void add_report_command(CLI::App& app) {
    struct Arguments {
        std::string image;
        std::string out;
    };
    CLI::App* command = app.add_subcommand("report", "Write the page of a run, from the file of its image");
    const auto arguments = std::make_shared<Arguments>();
    command->add_option("image", arguments->image, "File that recon wrote (HDF5)")->required();
    command->add_option("--out", arguments->out, "The page (default: beside the image, .html for its ending)");
    command->callback([arguments] {
        std::string& out = arguments->out;
        if (out.empty()) {
            out = std::filesystem::path(arguments->image).replace_extension(".html").string();
        }
        require_outputs_apart(std::vector<NamedFile>{{"the image", arguments->image}},
                              std::vector<NamedFile>{{"--out", out}});
        write_report(arguments->image, out);
        log_info("{} written", out);
    });
}

}  // namespace recon
