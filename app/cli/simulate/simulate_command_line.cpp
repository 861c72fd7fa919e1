#include "app/cli/simulate/simulate_command_line.hpp"

#include <fmt/format.h>

#include "app/cli/heart/heart_phantom_options.hpp"
#include "app/cli/shell/named_choice.hpp"
#include "app/cli/shell/number_range.hpp"
#include "app/cli/simulate/frame_options.hpp"
#include "data/reading/format.hpp"
#include "data/simulation/phantoms/phantom.hpp"
#include "data/simulation/trajectories/gyromagnetic_ratios.hpp"
#include "data/simulation/trajectories/trajectory_kind.hpp"

namespace recon {
namespace {

std::string trajectory_help() {
    std::string text = "How k-space is sampled (default: cones in 3-D, spiral in 2-D, cartesian in 1-D):";
    for (const TrajectoryKind* kind : trajectory_kinds().all()) {
        text += fmt::format("\n  {}: {}", kind->name, kind->explanation);
    }
    return text;
}

std::string phantom_help() {
    std::string text = "Object:";
    for (const PhantomKind* kind : phantom_kinds().all()) {
        text += fmt::format("\n  {}: {}", kind->name, kind->explanation);
    }
    return text;
}

std::vector<std::string> formats_to_write() {
    std::vector<std::string> names;
    for (const Format* format : formats_with(&Format::write_scan)) {
        names.emplace_back(format->name);
    }
    return names;
}

void add_object_options(CLI::App& command, SimulateArguments& a) {
    CLI::Option* from =
        command
            .add_option("--from", a.from,
                        "Image file to scan instead of a phantom, by exact sums over its voxels; --matrix defaults to "
                        "half of its size, --fov to its own")
            ->group("Object");
    command.add_option("--phantom", a.phantom, phantom_help())
        ->transform(one_of(phantom_kinds().names()))
        ->excludes(from)
        ->capture_default_str()
        ->group("Object");
    command.add_option("--phantom-seed", a.phantom_seed, "Seed of what is random in the object (tissue)")
        ->check(seeds())
        ->excludes(from)
        ->capture_default_str()
        ->group("Object");
    command
        .add_option("--matrix", a.matrix,
                    "Voxels along x y z; one number for a cube, two for a 2-D scan, 1 for an axis that is absent")
        ->check(whole_number(1, 4096))
        ->expected(1, 3)
        ->delimiter('x')
        ->capture_default_str()
        ->group("Object");
    command.add_option("--fov", a.fov_mm, "Field of view in mm along x y z; one number for all. The object fills it")
        ->check(number_above(0, 1e6))
        ->expected(1, 3)
        ->delimiter('x')
        ->capture_default_str()
        ->group("Object");
    command
        .add_option("--section", a.section,
                    "Where a 1-D or 2-D scan cuts the object, in fields of view from the centre, -0.5 to 0.5 (default: "
                    "a place where much is to be seen)")
        ->check(number_from(-0.5, 0.5))
        ->excludes(from)
        ->group("Object");
    command
        .add_option(
            "--edge", a.edge_voxels,
            "Edges are rounded by a Gaussian with this standard deviation in voxels; 0 for sharp ones (default: "
            "0.6 for brain and tissue, 0 for the others)")
        ->check(number_from(0, 100))
        ->excludes(from)
        ->group("Object");
    CLI::Option* reference =
        command
            .add_option("--reference-image", a.reference_image,
                        "Image file to write, for --phantom sodium: a proton image of the same head, for --prior-image")
            ->excludes(from)
            ->group("Object");
    command
        .add_option("--reference-matrix", a.reference_matrix,
                    "Voxels of the proton image along x y z, as for --matrix (default: twice the scan's)")
        ->check(whole_number(1, 4096))
        ->expected(1, 3)
        ->needs(reference)
        ->group("Object");
    command
        .add_option("--reference-snr", a.reference_snr,
                    "Mean magnitude of the proton image over its noise; inf for no noise")
        ->check(number_above_or_infinite(0, 1e12))
        ->capture_default_str()
        ->needs(reference)
        ->group("Object");
}

void add_trajectory_options(CLI::App& command, SimulateArguments& a) {
    const std::string group = "Trajectory";
    command.add_option("--trajectory", a.trajectory, trajectory_help())
        ->transform(one_of(trajectory_kinds().names()))
        ->group(group);
    command
        .add_option("--undersampling", a.undersampling,
                    "Readouts are fewer than the Nyquist condition asks for by this factor (default: 2 for three coils "
                    "or more, "
                    "else 1)")
        ->check(number_above(0, 1e6))
        ->group(group);
    command.add_option("--readouts", a.readouts, "Number of radial readouts (default: from --undersampling)")
        ->check(whole_number(1, 1e8))
        ->group(group);
    command
        .add_option(
            "--interleaves", a.interleaves,
            "Spirals in a plane, or on the widest cone (default: an eighth of the matrix, a quarter for cones); "
            "fewer make longer readouts")
        ->check(whole_number(1, 1e8))
        ->group(group);
    CLI::Option* samples =
        command.add_option("--samples", a.samples, "Samples of a readout (default: from --dwell and --oversampling)")
            ->check(whole_number(2, 1e8))
            ->group(group);
    command
        .add_option("--oversampling", a.oversampling,
                    "Samples along a readout lie at most 1/oversampling cycles per field of view apart")
        ->check(number_above(0, 1e3))
        ->capture_default_str()
        ->excludes(samples)
        ->group(group);
    command
        .add_option("--density-power", a.density_power,
                    "Spirals: radius grows as turns to this power; above 1 the centre is sampled more densely")
        ->check(number_from(1, 4))
        ->capture_default_str()
        ->group(group);
    command
        .add_option("--dwell", a.dwell_us, "Time between samples in us; lengthened where the gradients are too weak")
        ->check(number_above(0, 1e6))
        ->capture_default_str()
        ->group(group);
    command
        .add_option("--echo-time", a.echo_time_ms,
                    "Time from excitation to the centre of k-space in ms (default: as early as possible)")
        ->check(number_from(0, 1e5))
        ->group(group);
    command.add_option("--gradient", a.gradient_mt_per_m, "Largest gradient in mT/m")
        ->check(number_above(0, 1e6))
        ->capture_default_str()
        ->group(group);
    command.add_option("--slew-rate", a.slew_rate_t_per_m_s, "Largest slew rate in T/m/s")
        ->check(number_above(0, 1e9))
        ->capture_default_str()
        ->group(group);
    command.add_option("--nucleus", a.nucleus, "Sets the gyromagnetic ratio")
        ->transform(one_of(known_nuclei()))
        ->capture_default_str()
        ->group(group);
}

void add_reception_options(CLI::App& command, SimulateArguments& a) {
    const std::string group = "Reception";
    command.add_option("--coils", a.coils, "Number of receive coils around the object; 1 has uniform sensitivity")
        ->check(whole_number(1, 4096))
        ->capture_default_str()
        ->group(group);
    command.add_flag("--quiet", a.quiet, "Warnings and errors only")->group(group);
    command.add_flag("--no-coil-maps", a.no_coil_maps, "Leave the coils' sensitivities out of the file")->group(group);
    command
        .add_option(
            "--snr", a.snr,
            "Mean magnitude of the object over the standard deviation of the noise in a voxel, in a fully sampled "
            "Cartesian image with the same noise a sample; inf for no noise")
        ->check(number_above_or_infinite(0, 1e12))
        ->capture_default_str()
        ->group(group);
    command.add_option("--seed", a.seed, "Seed of the noise")->check(seeds())->capture_default_str()->group(group);
    command
        .add_option("--noise-samples", a.noise_samples,
                    "Add a noise-only acquisition of so many samples a coil, for prewhitening")
        ->check(whole_number(0, 1e8))
        ->capture_default_str()
        ->group(group);
}

void add_off_resonance_options(CLI::App& command, SimulateArguments& a) {
    const std::string group = "Off-resonance";
    CLI::Option* from = command.get_option("--from");
    command
        .add_option("--off-resonance", a.off_resonance_hz,
                    "Off-resonance of a head, up to about so many Hz: a tilted plane, a spot above the sinuses, two "
                    "beside the ears; the scan comes with its map")
        ->check(number_from(0, 1e6))
        ->excludes(from)
        ->capture_default_str()
        ->group(group);
    command.add_option("--r2star", a.r2star_per_s, "Decay of the signal, up to so many 1/s at the spots")
        ->check(number_from(0, 1e6))
        ->excludes(from)
        ->capture_default_str()
        ->group(group);
    command
        .add_option("--field-map", a.field_map,
                    "The map in the scan: everywhere, or on the object alone (0 elsewhere, as measured maps are)")
        ->transform(one_of({"everywhere", "object"}))
        ->capture_default_str()
        ->group(group);
}

}  // namespace

void add_simulate_options(CLI::App& command, SimulateArguments& arguments) {
    command.add_option("--out", arguments.out, "Scan file to write")->required();
    command
        .add_option(
            "--format", arguments.format,
            "Format of the scan file, whatever its name (default: .cfl, .npz and .mrdstream say it, others are the "
            "project's own HDF5, recon)")
        ->transform(one_of(formats_to_write()));
    command.add_option("--truth", arguments.truth, "Image file to write: the object on the reconstruction's voxels");
    add_object_options(command, arguments);
    add_frame_options(command, arguments);
    add_heart_phantom_options(command, arguments.heart);
    add_trajectory_options(command, arguments);
    add_off_resonance_options(command, arguments);
    add_reception_options(command, arguments);
}

SimulationOptions simulation_options(const SimulateArguments& arguments, const CLI::App& command) {
    SimulationOptions options;
    options.phantom = arguments.phantom;
    options.phantom_seed = arguments.phantom_seed;
    options.trajectory = arguments.trajectory;
    TrajectoryRequest& request = options.request;
    const bool is_heart = arguments.phantom == "heart";
    require_heart_phantom(command, arguments.phantom);
    options.heart = arguments.heart;
    request.matrix_size = axes_as_typed<Index>(arguments.matrix, 1);
    if (is_heart && arguments.matrix.size() == 1) {
        request.matrix_size[2] = 1;  // a slice
    }
    request.field_of_view_mm = axes_as_typed<double>(arguments.fov_mm, arguments.fov_mm.front());
    request.limits = {arguments.gradient_mt_per_m * 1e-3, arguments.slew_rate_t_per_m_s,
                      gyromagnetic_ratio_hz_per_t(arguments.nucleus)};
    request.dwell_time_s = arguments.dwell_us * 1e-6;
    request.readout_oversampling = arguments.oversampling;
    request.density_power = arguments.density_power;
    const auto given = [&](const char* option) { return command.count(option) > 0; };
    // Coils let a reconstruction do with half of the readouts; one or two do not.
    request.undersampling = given("--undersampling") ? arguments.undersampling : arguments.coils > 2 ? 2 : 1;
    if (given("--readouts")) {
        request.readouts = arguments.readouts;
    }
    if (given("--interleaves")) {
        request.interleaves = arguments.interleaves;
    }
    if (given("--samples")) {
        request.samples_per_readout = arguments.samples;
    }
    if (given("--echo-time")) {
        request.echo_time_s = arguments.echo_time_ms * 1e-3;
    }
    if (given("--section")) {
        options.section = arguments.section;
    }
    if (given("--edge")) {
        options.edge_voxels = arguments.edge_voxels;
    }
    options.coil_count = arguments.coils;
    constexpr Index phases = 20;
    options.frame_count = is_heart && !given("--frames") ? phases : arguments.frames;
    options.slice_count = arguments.slices;
    options.slice_distance_mm = arguments.slice_distance_mm;
    options.snr = arguments.snr;
    options.seed = arguments.seed;
    options.store_coil_maps = !arguments.no_coil_maps;
    options.noise_sample_count = arguments.noise_samples;
    options.off_resonance = {arguments.off_resonance_hz, arguments.r2star_per_s};
    options.field_map_part = arguments.field_map == "object" ? SimulationOptions::FieldMapPart::object
                                                             : SimulationOptions::FieldMapPart::everywhere;
    return options;
}

}  // namespace recon
