#include "app/cli/report/report_command.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <vector>

#include "app/report/page/report_page.hpp"
#include "core/base/log.hpp"
#include "data/reading/output_name.hpp"

namespace recon {
namespace {

/// The image and all files that its run read or wrote, but for its page.
std::vector<NamedFile> files_of_run(const std::string& image, const RunRecord& record) {
    std::vector<NamedFile> files{{"the image", image}};
    const RunRecord options = record.value("options", RunRecord::object());
    for (const auto& [option, given] : options.items()) {
        for (const RunRecord& value : given.is_array() ? given : RunRecord::array({given})) {
            if (option != "report" && value.is_string()) {
                files.push_back({"the run's --" + option, with_extension(value.get<std::string>())});
            }
        }
    }
    return files;
}

}  // namespace

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
        const NamedFile page{"--out", out};
        require_fitting_name(page, {".html", ".htm"});
        const PageContents contents = read_page_contents(arguments->image);
        require_outputs_apart(files_of_run(arguments->image, contents.record), {&page, 1});
        write_report(contents, out);
        log_info("{} written", out);
    });
}

}  // namespace recon
