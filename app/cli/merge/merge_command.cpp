#include "app/cli/merge/merge_command.hpp"

#include <memory>
#include <vector>

#include "app/cli/shell/number_range.hpp"
#include "app/cli/shell/option_names.hpp"
#include "app/cli/shell/options_in_force.hpp"
#include "app/merge/series_merge.hpp"
#include "app/report/run_origin.hpp"
#include "core/base/error.hpp"
#include "core/base/log.hpp"
#include "core/base/number_text.hpp"
#include "data/files/file_identity.hpp"
#include "data/reading/output_name.hpp"

namespace recon {
namespace {

struct MergeArguments {
    std::vector<std::string> images;
    std::string out;
    MergeOptions options;
};

void merge(const MergeArguments& arguments, CLI::App& command) {
    std::vector<NamedFile> inputs;
    for (const std::string& image : arguments.images) {
        inputs.push_back({"an image", image});
    }
    require_outputs_apart(inputs, std::vector<NamedFile>{{"--out", arguments.out}});
    require_fitting_name({"--out", arguments.out}, {".h5", ".hdf5"});
    RunRecord record = program_record();
    record["command"] = command_text(command);
    const Index count = merge_series(arguments.images, arguments.out, arguments.options, record);
    log_info("{} written: {} of {}", arguments.out, counted(count, "frame"),
             counted(static_cast<Index>(arguments.images.size()), "file"));
}

}  // namespace

void add_merge_command(CLI::App& app) {
    const auto arguments = std::make_shared<MergeArguments>();
    CLI::App* command = app.add_subcommand("merge", "Join images of some frames each to one series");
    command->footer(
        "For series that many runs have reconstructed, such as the jobs of an array (docs/mpi.md):\n\n"
        "  recon --scan series.h5 --select repetition=3 --out frame-3.h5\n"
        "  recon merge frame-*.h5 --out series-image.h5 --frames 16\n\n"
        "Frames are put in the order of their labels, whatever the order of the files. Equal frames, other sizes and "
        "gaps between frames are refused; a frame that is missing at the end only --frames can tell.");
    command->add_option("images", arguments->images, "Image files that recon wrote (HDF5)")->required();
    command->add_option("--out", arguments->out, "Image file to write (HDF5)")->required();
    command->add_option("--frames", arguments->options.frame_count, "How many frames there must be in all")
        ->check(whole_number(1, 1e6));
    command->add_flag("--gaps", arguments->options.gaps, "Join what is there, though frames are missing in between");
    command->callback([arguments, command] { merge(*arguments, *command); });
}

}  // namespace recon
