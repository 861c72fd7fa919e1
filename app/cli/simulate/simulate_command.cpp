#include "app/cli/simulate/simulate_command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>

#include "app/cli/simulate/simulate_command_line.hpp"
#include "core/backend/cpu/cpu_backend.hpp"
#include "core/base/log.hpp"
#include "core/base/number_text.hpp"
#include "core/mri/image.hpp"
#include "data/files/file_identity.hpp"
#include "data/formats/recon_h5/image_hdf5_writer.hpp"
#include "data/reading/format.hpp"
#include "data/reading/output_name.hpp"
#include "data/reading/placed_image_reader.hpp"
#include "data/simulation/phantom_object.hpp"

namespace recon {
namespace {

void write_truth(const Simulation& simulation, const std::string& path, const std::string& command_line) {
    Image image;
    image.geometry = simulation.scan.geometry;
    image.voxels = simulation.truth;
    image.frames.clear();
    for (const Frame& frame : simulation.scan.frames) {
        image.frames.push_back({frame.label, frame.orientation});
    }
    RunRecord run = RunRecord::object();
    run["command"] = command_line;
    run["noise_standard_deviation"] = simulation.noise_standard_deviation;
    if (!simulation.cavity_areas.empty()) {
        run["cavity_areas"] = simulation.cavity_areas;
    }
    write_image_hdf5(path, {.image = image, .run = run});
}

/// @throws UsageError as simulate_reference_image
void write_reference_image(const SimulateArguments& arguments, const SimulationOptions& options) {
    PerAxis<Index> matrix_size = options.request.matrix_size;
    if (arguments.reference_matrix.empty()) {
        for (Index& n : matrix_size) {
            n = n > 1 ? 2 * n : 1;
        }
    } else {
        const bool one_for_all = arguments.reference_matrix.size() == 1;
        const PerAxis<Index> typed = axes_as_typed<Index>(arguments.reference_matrix, 1);
        for (int axis = 0; axis < 3; ++axis) {
            matrix_size[axis] = one_for_all && matrix_size[axis] == 1 ? 1 : typed[axis];
        }
    }
    const Image image = simulate_reference_image(options, matrix_size, arguments.reference_snr);
    RunRecord run = RunRecord::object();
    run["command"] = "simulate";
    write_image_hdf5(arguments.reference_image, {.image = image, .run = run});
    log_info("{}: proton image of the same head, {} x {} x {} voxels, SNR {:g}", arguments.reference_image,
             matrix_size[0], matrix_size[1], matrix_size[2], arguments.reference_snr);
}

/// Matrix and field of view come from the image unless they were given: half of its voxels along each axis. So does its
/// place.
Simulation simulate_from_image(const SimulateArguments& arguments, const CLI::App& command,
                               SimulationOptions& options) {
    const Image volume = read_placed_image(arguments.from).image;
    if (command.count("--matrix") == 0) {
        for (int axis = 0; axis < 3; ++axis) {
            options.request.matrix_size[axis] = (volume.geometry.matrix_size[axis] + 1) / 2;
        }
    }
    const PerAxis<double>& fov_mm = volume.geometry.field_of_view_mm;
    if (command.count("--fov") == 0 && std::min({fov_mm[0], fov_mm[1], fov_mm[2]}) > 0) {
        options.request.field_of_view_mm = fov_mm;
    }
    const auto backend = make_cpu_backend(0);
    Simulation simulation = simulate_scan_of(volume, *backend, options);
    if (volume.geometry.orientation) {  // the voxel in the middle of both is the same
        simulation.scan.geometry.orientation = volume.geometry.orientation;
    }
    return simulation;
}

const Format& writer_of(const SimulateArguments& arguments) {
    const Format* by_name = arguments.format.empty() ? scan_writer_of(arguments.out) : nullptr;
    return by_name != nullptr ? *by_name : formats().get(arguments.format.empty() ? "recon" : arguments.format);
}

void warn_of_idle_options(const SimulateArguments& arguments, const CLI::App& command) {
    if (command.count("--phantom-seed") > 0 && arguments.phantom != "tissue") {
        log_warning("--phantom-seed has no say here: nothing of the phantom {} is random", arguments.phantom);
    }
    if (command.count("--field-map") > 0 && arguments.off_resonance_hz == 0 && arguments.r2star_per_s == 0) {
        log_warning("--field-map has no say here: without --off-resonance or --r2star there is no map");
    }
}

void run(const SimulateArguments& arguments, const CLI::App& command) {
    set_log_level(arguments.quiet ? LogLevel::warning : LogLevel::info);
    warn_of_idle_options(arguments, command);
    SimulationOptions options = simulation_options(arguments, command);
    require_outputs_apart(
        std::vector<NamedFile>{{"--from", arguments.from}, {"--heart", arguments.heart.activation_file}},
        std::vector<NamedFile>{
            {"--out", arguments.out}, {"--truth", arguments.truth}, {"--reference-image", arguments.reference_image}});
    if (arguments.format.empty()) {
        require_fitting_name({"--out", arguments.out}, endings_with(&Format::write_scan));
    }
    require_fitting_name({"--truth", arguments.truth}, {".h5", ".hdf5"});
    const Simulation simulation =
        arguments.from.empty() ? simulate_scan(options) : simulate_from_image(arguments, command, options);
    const Scan& scan = simulation.scan;
    writer_of(arguments).write_scan(scan, arguments.out);
    const PerAxis<Index>& n = scan.geometry.matrix_size;
    log_info(
        "{}: {}, {} x {} x {} voxels, {}; {} trajectory, {} of {} samples, dwell {:.3g} us, "
        "readout {:.3g} ms; noise {:.4g} a sample (SNR {:g})",
        arguments.out, arguments.from.empty() ? arguments.phantom + " phantom" : arguments.from, n[0], n[1], n[2],
        counted(scan.coil_count, "coil"), simulation.design.kind, counted(simulation.design.readout_count, "readout"),
        simulation.design.samples_per_readout, simulation.design.dwell_time_s * 1e6,
        simulation.design.dwell_time_s * 1e3 * static_cast<double>(simulation.design.samples_per_readout),
        simulation.noise_standard_deviation, options.snr);
    if (options.slice_count > 1) {
        log_info("{} slices, {:g} mm apart", options.slice_count, options.slice_distance_mm);
    }
    if (!simulation.cavity_areas.empty()) {
        const auto [least, most] = std::minmax_element(simulation.cavity_areas.begin(), simulation.cavity_areas.end());
        log_info("{} phases of a beat, {} readouts each; ejection fraction {:.3f}, by the cavity's area",
                 scan.frames.size(), simulation.design.readout_count, 1 - *least / *most);
    }
    if (!arguments.truth.empty()) {
        write_truth(simulation, arguments.truth, "simulate");
        log_info("{}: the image that the scan shows, without noise", arguments.truth);
    }
    if (!arguments.reference_image.empty()) {
        write_reference_image(arguments, options);
    }
}

}  // namespace

void add_simulate_command(CLI::App& app) {
    CLI::App* command = app.add_subcommand(
        "simulate",
        "Simulate a scan of a phantom whose k-space is known exactly.\n"
        "Examples:\n"
        "  recon simulate --out brain.h5 --truth truth.h5\n"
        "  recon simulate --out spiral.h5 --matrix 256 256 --trajectory spiral --interleaves 16 --snr inf\n"
        "  recon simulate --out sodium.h5 --matrix 64 --trajectory cones --nucleus 23Na --coils 1");
    auto arguments = std::make_shared<SimulateArguments>();
    add_simulate_options(*command, *arguments);
    command->callback([arguments, command] { run(*arguments, *command); });
}

}  // namespace recon
