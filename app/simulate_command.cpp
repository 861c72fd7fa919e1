#include "app/simulate_command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "core/cpu/cpu_backend.hpp"
#include "core/error.hpp"
#include "core/log.hpp"
#include "core/mri/image.hpp"
#include "data/image_hdf5_writer.hpp"
#include "data/image_reader.hpp"
#include "data/mrd_writer.hpp"
#include "data/recon_hdf5_writer.hpp"
#include "data/simulation/phantom_object.hpp"

namespace recon {
namespace {

/// The command line as typed: units of people, turned into SimulationOptions by `simulation_options`.
struct SimulateArguments {
    std::string out;
    std::string truth;
    std::string reference_image;
    std::vector<Index> reference_matrix;  ///< empty: twice the scan's
    double reference_snr = 30;
    std::string from;
    std::string format = "recon";
    std::string phantom = "brain";
    std::string trajectory;  ///< empty: what suits the dimension
    std::vector<Index> matrix{64};
    std::vector<double> fov_mm{220};
    std::string nucleus = "1H";
    double gradient_mt_per_m = 40;
    double slew_rate_t_per_m_s = 150;
    double dwell_us = 4;
    double echo_time_ms = 0;
    double oversampling = 2;
    double undersampling = 0;
    double density_power = 1;
    double section = 0;
    double edge_voxels = 0;
    Index readouts = 0;
    Index interleaves = 0;
    Index samples = 0;
    Index coils = 8;
    Index frames = 1;
    Index noise_samples = 0;
    double snr = 20;
    std::uint64_t seed = 1;
    double off_resonance_hz = 0;
    double r2star_per_s = 0;
    std::string field_map = "everywhere";
    bool no_coil_maps = false;
};

std::string trajectory_help() {
    std::string text = "How k-space is sampled (default: cones in 3-D, spiral in 2-D, cartesian in 1-D):";
    for (const TrajectoryKind& kind : trajectory_kinds()) {
        text += fmt::format("\n  {}: {}", kind.name, kind.explanation);
    }
    return text;
}

/// One value means all axes that exist; three are x, y, z; two are x, y of a 2-D scan.
template <class T>
PerAxis<T> per_axis(const std::vector<T>& values, T filler) {
    switch (values.size()) {
        case 1: return {values[0], values[0], values[0]};
        case 2: return {values[0], values[1], filler};
        default: return {values[0], values[1], values[2]};
    }
}

SimulationOptions simulation_options(const SimulateArguments& arguments, const CLI::App& command) {
    SimulationOptions options;
    options.phantom = arguments.phantom == "brain"    ? PhantomKind::brain
                      : arguments.phantom == "sodium" ? PhantomKind::sodium
                                                      : PhantomKind::shepp_logan;
    options.trajectory = arguments.trajectory;
    TrajectoryRequest& request = options.request;
    request.matrix_size = per_axis<Index>(arguments.matrix, 1);
    request.field_of_view_mm = per_axis<double>(arguments.fov_mm, arguments.fov_mm.front());
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
    options.frame_count = arguments.frames;
    options.snr = arguments.snr;
    options.seed = arguments.seed;
    options.store_coil_maps = !arguments.no_coil_maps;
    options.noise_sample_count = arguments.noise_samples;
    options.off_resonance = {arguments.off_resonance_hz, arguments.r2star_per_s};
    options.field_map_part = arguments.field_map == "object" ? SimulationOptions::FieldMapPart::object
                                                             : SimulationOptions::FieldMapPart::everywhere;
    return options;
}

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
        matrix_size = per_axis<Index>(arguments.reference_matrix, 1);
    }
    const Image image = simulate_reference_image(options, matrix_size, arguments.reference_snr);
    RunRecord run = RunRecord::object();
    run["command"] = "simulate";
    write_image_hdf5(arguments.reference_image, {.image = image, .run = run});
    log_info("{}: proton image of the same head, {} x {} x {} voxels, SNR {:g}", arguments.reference_image,
             matrix_size[0], matrix_size[1], matrix_size[2], arguments.reference_snr);
}

/// Matrix and field of view come from the image unless they were given: half of its voxels along each axis.
Simulation simulate_from_image(const SimulateArguments& arguments, const CLI::App& command,
                               SimulationOptions& options) {
    const Image volume = read_image(arguments.from).image;
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
    return simulate_scan_of(volume, *backend, options);
}

void run(const SimulateArguments& arguments, const CLI::App& command) {
    SimulationOptions options = simulation_options(arguments, command);
    const Simulation simulation =
        arguments.from.empty() ? simulate_scan(options) : simulate_from_image(arguments, command, options);
    const Scan& scan = simulation.scan;
    if (arguments.format == "mrd") {
        write_mrd(scan, arguments.out);
    } else {
        write_scan(scan, arguments.out);
    }
    const PerAxis<Index>& n = scan.geometry.matrix_size;
    log_info(
        "{}: {}, {} x {} x {} voxels, {} coils; {} trajectory, {} readouts of {} samples, dwell {:.3g} us, "
        "readout {:.3g} ms; noise {:.4g} a sample (SNR {:g})",
        arguments.out, arguments.from.empty() ? arguments.phantom + " phantom" : arguments.from, n[0], n[1], n[2],
        scan.coil_count, simulation.design.kind, simulation.design.readout_count, simulation.design.samples_per_readout,
        simulation.design.dwell_time_s * 1e6,
        simulation.design.dwell_time_s * 1e3 * static_cast<double>(simulation.design.samples_per_readout),
        simulation.noise_standard_deviation, options.snr);
    if (!arguments.truth.empty()) {
        write_truth(simulation, arguments.truth, "simulate");
        log_info("{}: the image that the scan shows, without noise", arguments.truth);
    }
    if (!arguments.reference_image.empty()) {
        write_reference_image(arguments, options);
    }
}

void add_object_options(CLI::App& command, SimulateArguments& a) {
    CLI::Option* from =
        command
            .add_option("--from", a.from,
                        "Image file to scan instead of a phantom, by exact sums over its voxels; --matrix defaults to "
                        "half of its size, --fov to its own")
            ->group("Object");
    command.add_option("--phantom", a.phantom, "Object: a head, the same head in sodium, or the Shepp-Logan phantom")
        ->check(CLI::IsMember({"brain", "sodium", "shepp-logan"}))
        ->excludes(from)
        ->capture_default_str()
        ->group("Object");
    command
        .add_option(
            "--frames", a.frames,
            "Repetitions of a head whose contrast goes from brain to sodium; golden-radial gives each readouts of "
            "its own")
        ->excludes(from)
        ->capture_default_str()
        ->group("Object");
    command
        .add_option("--matrix", a.matrix,
                    "Voxels along x y z; one number for a cube, two for a 2-D scan, 1 for an axis that is absent")
        ->expected(1, 3)
        ->capture_default_str()
        ->group("Object");
    command.add_option("--fov", a.fov_mm, "Field of view in mm along x y z; one number for all. The object fills it")
        ->expected(1, 3)
        ->capture_default_str()
        ->group("Object");
    command
        .add_option("--section", a.section,
                    "Where a 1-D or 2-D scan cuts the object, in fields of view from the centre, -0.5 to 0.5 (default: "
                    "a place where much is to be seen)")
        ->check(CLI::Range(-0.5, 0.5))
        ->excludes(from)
        ->group("Object");
    command
        .add_option(
            "--edge", a.edge_voxels,
            "Edges are rounded by a Gaussian with this standard deviation in voxels; 0 for sharp ones (default: "
            "0.6 for the brain, 0 for the others)")
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
        ->expected(1, 3)
        ->needs(reference)
        ->group("Object");
    command
        .add_option("--reference-snr", a.reference_snr,
                    "Mean magnitude of the proton image over its noise; inf for no noise")
        ->capture_default_str()
        ->needs(reference)
        ->group("Object");
}

void add_trajectory_options(CLI::App& command, SimulateArguments& a) {
    const std::string group = "Trajectory";
    command.add_option("--trajectory", a.trajectory, trajectory_help())->group(group);
    command
        .add_option("--undersampling", a.undersampling,
                    "Readouts are fewer than the Nyquist condition asks for by this factor (default: 2 for three coils "
                    "or more, "
                    "else 1)")
        ->group(group);
    command.add_option("--readouts", a.readouts, "Number of radial readouts (default: from --undersampling)")
        ->group(group);
    command
        .add_option(
            "--interleaves", a.interleaves,
            "Spirals in a plane, or on the widest cone (default: an eighth of the matrix, a quarter for cones); "
            "fewer make longer readouts")
        ->group(group);
    CLI::Option* samples =
        command.add_option("--samples", a.samples, "Samples of a readout (default: from --dwell and --oversampling)")
            ->group(group);
    command
        .add_option("--oversampling", a.oversampling,
                    "Samples along a readout lie at most 1/oversampling cycles per field of view apart")
        ->capture_default_str()
        ->excludes(samples)
        ->group(group);
    command
        .add_option("--density-power", a.density_power,
                    "Spirals: radius grows as turns to this power; above 1 the centre is sampled more densely")
        ->capture_default_str()
        ->group(group);
    command
        .add_option("--dwell", a.dwell_us, "Time between samples in us; lengthened where the gradients are too weak")
        ->capture_default_str()
        ->group(group);
    command
        .add_option("--echo-time", a.echo_time_ms,
                    "Time from excitation to the centre of k-space in ms (default: as early as possible)")
        ->group(group);
    command.add_option("--gradient", a.gradient_mt_per_m, "Largest gradient in mT/m")
        ->capture_default_str()
        ->group(group);
    command.add_option("--slew-rate", a.slew_rate_t_per_m_s, "Largest slew rate in T/m/s")
        ->capture_default_str()
        ->group(group);
    command.add_option("--nucleus", a.nucleus, "Sets the gyromagnetic ratio")
        ->check(CLI::IsMember(known_nuclei()))
        ->capture_default_str()
        ->group(group);
}

void add_reception_options(CLI::App& command, SimulateArguments& a) {
    const std::string group = "Reception";
    command.add_option("--coils", a.coils, "Number of receive coils around the object; 1 has uniform sensitivity")
        ->capture_default_str()
        ->group(group);
    command.add_flag("--no-coil-maps", a.no_coil_maps, "Leave the coils' sensitivities out of the file")->group(group);
    command
        .add_option(
            "--snr", a.snr,
            "Mean magnitude of the object over the standard deviation of the noise in a voxel, in a fully sampled "
            "Cartesian image with the same noise a sample; inf for no noise")
        ->capture_default_str()
        ->group(group);
    command.add_option("--seed", a.seed, "Seed of the noise")->capture_default_str()->group(group);
    command
        .add_option("--noise-samples", a.noise_samples,
                    "Add a noise-only acquisition of so many samples a coil, for prewhitening")
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
        ->excludes(from)
        ->capture_default_str()
        ->group(group);
    command.add_option("--r2star", a.r2star_per_s, "Decay of the signal, up to so many 1/s at the spots")
        ->excludes(from)
        ->capture_default_str()
        ->group(group);
    command
        .add_option("--field-map", a.field_map,
                    "The map in the scan: everywhere, or on the object alone (0 elsewhere, as measured maps are)")
        ->check(CLI::IsMember({"everywhere", "object"}))
        ->capture_default_str()
        ->group(group);
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
    command->add_option("--out", arguments->out, "Scan file to write")->required();
    command
        ->add_option("--format", arguments->format,
                     "Layout of the scan file: the project's own HDF5, or MRD (ISMRMRD) HDF5, whatever the file's name")
        ->check(CLI::IsMember({"recon", "mrd"}))
        ->capture_default_str();
    command->add_option("--truth", arguments->truth, "Image file to write: the object on the reconstruction's voxels");
    add_object_options(*command, *arguments);
    add_trajectory_options(*command, *arguments);
    add_off_resonance_options(*command, *arguments);
    add_reception_options(*command, *arguments);
    command->callback([arguments, command] { run(*arguments, *command); });
}

}  // namespace recon
