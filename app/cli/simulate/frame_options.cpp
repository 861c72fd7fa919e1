#include "app/cli/simulate/frame_options.hpp"

#include "app/cli/shell/number_range.hpp"

namespace recon {

void add_frame_options(CLI::App& command, SimulateArguments& arguments) {
    const std::string group = "Object";
    command
        .add_option(
            "--frames", arguments.frames,
            "Repetitions of a head whose contrast goes from brain to sodium, or phases of a beating heart [20]; "
            "golden-radial gives each readouts of its own")
        ->check(whole_number(1, 100000))
        ->excludes(command.get_option("--from"))
        ->capture_default_str()
        ->group(group);
    CLI::Option* slices =
        command
            .add_option(
                "--slices", arguments.slices,
                "Parallel slices of a 2-D scan, each with its place and its own coil maps; number floor(n/2) lies "
                "at the section, and each becomes an image")
            ->check(whole_number(1, 1000))
            ->excludes(command.get_option("--from"))
            ->excludes(command.get_option("--reference-image"))
            ->capture_default_str()
            ->group(group);
    command
        .add_option("--slice-distance", arguments.slice_distance_mm,
                    "Distance of neighbouring slices in mm, and the thickness of their voxels")
        ->check(number_above(0, 1e6))
        ->needs(slices)
        ->capture_default_str()
        ->group(group);
}

}  // namespace recon
