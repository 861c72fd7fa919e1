#include "app/cli/reconstruct_command_line.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <memory>

#include "app/cli/refusal/strict_config.hpp"
#include "app/cli/regularisation_command_line.hpp"
#include "app/cli/scan/coil_command_line.hpp"
#include "app/cli/scan/margin_command_line.hpp"
#include "app/cli/shell/cache_folder.hpp"
#include "app/cli/shell/named_choice.hpp"
#include "app/cli/shell/number_range.hpp"
#include "app/reconstruction/coils/coil_inputs.hpp"
#include "app/reconstruction/memory/memory_planning.hpp"
#include "data/files/hdf5_probe.hpp"
#include "data/reading/field_map_reader.hpp"
#include "data/reading/format.hpp"
#include "data/reading/stored/file_and_dataset.hpp"

namespace recon {
namespace {

constexpr const char* automatic = "auto";

/// ".cfl, .nii or .npy": those of the formats that write images.
std::string image_extensions() {
    std::vector<std::string> all;
    for (const Format* format : formats_with(&Format::write_image)) {
        const std::vector<std::string> own = extensions_of(*format);
        all.insert(all.end(), own.begin(), own.end());
    }
    const std::string last = all.back();
    all.pop_back();
    return fmt::format("{} or {}", fmt::join(all, ", "), last);
}

void add_files(CLI::App& app, ReconstructCommandLine& line) {
    app.add_option(
        "--scan", line.scan_path,
        "Scan to reconstruct: MRD, recon or RIESLING HDF5, BART (.cfl), NumPy (.npz, .npy), a stream of MRD, or an "
        "IMPATIENT folder; - for stdin");
    app.add_option("file", line.beside, "Scan to reconstruct, without --scan; scan.h5 gives scan-image.h5 beside it");
    app.add_option("--out", line.out_path,
                   "Image and record of the run (HDF5); a name that ends in " + image_extensions() +
                       ": the image alone; -: as a stream of MRD on stdout")
        ->capture_default_str();
    app.add_flag(
           "--keep-partial", line.keep_partial,
           "Write the image as it is when Ctrl-C or SIGTERM stops the iterations; without it --out stays as it was")
        ->group("Files");
    app.add_option("--png", line.png_path, "Picture of the slices; with --baseline and --reference side by side");
    for (const Format* format : formats_with(&Format::write_image)) {
        const std::string name(format->name);
        app.add_option("--" + name, line.image_copies[name], std::string(format->write_image_help))->group("Files");
    }
    app.add_option("--json", line.json_path, "Record of the run as JSON")->group("Files");
    app.add_option("--report", line.report_path,
                   "Page of the run (HTML, complete in itself): images, errors, curves, decisions, timings");
    app.set_config("--config", "", "Options from a file (TOML: name = value); the command line goes first")
        ->each([&line](const std::string& path) { line.config_path = path; })
        ->type_name("TEXT");
    app.config_formatter(std::make_shared<StrictConfig>(app));
    app.allow_config_extras(CLI::config_extras_mode::error);
    app.add_flag("--print-config", line.print_config,
                 "Print the options given as a file for --config, and do nothing else")
        ->configurable(false)
        ->group("Files");
    app.add_option("--reference", line.reference_path, "Image to judge the result by, in any format that recon reads");
}

void add_off_resonance_options(CLI::App& app, ReconstructCommandLine& line) {
    const std::string group = "Off-resonance";
    OffResonanceSources& sources = line.off_resonance;
    OffResonanceOptions& options = line.reconstruct.off_resonance;
    app.add_option("--field-map", sources.field_map,
                   "Correct off-resonance with this field map in Hz: its name in the scan, or a file (of any "
                   "format that recon reads, FILE:/dataset if it holds several), resampled onto the image; auto (the "
                   "scan's own, if it has one "
                   "that fits its data); none")
        ->default_str(OffResonanceSources::automatic);
    app.add_option("--off-resonance", options.method,
                   "How: segments (time segments, as many as --tol needs) or exact (slow: every exponential by itself)")
        ->transform(named_choice<OffResonanceMethod>(
            {{"segments", OffResonanceMethod::segments}, {"exact", OffResonanceMethod::exact}}))
        ->default_str("segments")
        ->group(group);
    app.add_option("--field-map-outside", options.outside,
                   "Where the map is 0, as outside of the object: measured (leave it), extrapolate (continue the map "
                   "smoothly) or auto (continue it where it jumps)")
        ->transform(named_choice<FieldMapOutside>({{"auto", FieldMapOutside::automatic},
                                                   {"measured", FieldMapOutside::measured},
                                                   {"extrapolate", FieldMapOutside::extrapolate}}))
        ->default_str("auto")
        ->group(group);
    app.add_option("--field-map-smoothing", options.smoothing,
                   "Spikes and noise of the map: always (smooth what makes more than 0.002 turns over the readout), "
                   "none, or auto (always, but not with --prior none)")
        ->transform(named_choice<FieldMapSmoothingUse>({{"auto", FieldMapSmoothingUse::automatic},
                                                        {"always", FieldMapSmoothingUse::always},
                                                        {"none", FieldMapSmoothingUse::none}}))
        ->default_str("auto")
        ->group(group);
    app.add_option("--r2star-map", sources.r2star_map, "Decay during the readout: a map of R2* in 1/s, a file as above")
        ->group(group);
    app.add_option("--dwell", sources.dwell_us,
                   "Time between the samples of a readout in us, if the scan does not give sample times or wrong ones")
        ->check(number_above(0, 1e6))
        ->group(group);
    app.add_option("--echo-time", sources.echo_time_ms,
                   "Time from excitation to the sample nearest the centre of k-space in ms; moves sample times")
        ->check(number_from(0, 1e5))
        ->group(group);
    app.add_flag_callback(
           "--no-field-map-check", [&options] { options.check = FieldMapCheck::no; },
           "Skip the comparison with the opposite sign of the map")
        ->group(group);
}

void add_method_options(CLI::App& app, ReconstructCommandLine& line) {
    const std::string group = "Method";
    ReconstructOptions& options = line.reconstruct;
    app.add_option("--iterations", options.cg.iterations,
                   "Most iterations of each solution. Not given: 30 of plain least squares and quadratic priors, 50 of "
                   "ADMM with tv, wavelet, llr, and with scan and spectrum as many as the predicted error asks for")
        ->check(whole_number(0, 100000))
        ->each([&options](const std::string& text) {
            CLI::detail::lexical_cast(text, options.admm.iterations);
            options.iterations_asked = options.admm.iterations;
        })
        ->default_str("auto")
        ->group(group);
    app.add_option("--stop", options.cg.stop,
                   "Relative residual at which to stop earlier. Not given: 1e-6, with tv, wavelet, llr 1e-3, and with "
                   "scan and spectrum by the predicted error")
        ->check(number_from(0, 1))
        ->each([&options](const std::string& text) {
            CLI::detail::lexical_cast(text, options.admm.stop);
            options.stop_asked = options.admm.stop;
        })
        ->default_str("auto")
        ->group(group);
    app.add_option("--weights", options.weighting, "Weight of the samples in the fit: none or density")
        ->transform(
            named_choice<SampleWeighting>({{"none", SampleWeighting::none}, {"density", SampleWeighting::density}}))
        ->default_str("none")
        ->group(group);
    app.add_option("--voxel", options.voxel_basis, "Shape of a voxel: point or box")
        ->transform(named_choice<VoxelBasis>({{"point", VoxelBasis::point}, {"box", VoxelBasis::box}}))
        ->default_str("point")
        ->group(group);
    app.add_option("--start", options.start, "Image that the iterations start from: zero, or gridding + FFT")
        ->transform(named_choice<StartImage>({{"zero", StartImage::zero}, {"gridded", StartImage::gridded}}))
        ->default_str("zero")
        ->group(group);
    app.add_option("--preconditioner", options.preconditioner,
                   "none, jacobi (diagonal of the coils) or circulant (from Q): fewer iterations to the same image")
        ->transform(named_choice<PreconditionerKind>({{"none", PreconditionerKind::none},
                                                      {"jacobi", PreconditionerKind::jacobi},
                                                      {"circulant", PreconditionerKind::circulant}}))
        ->default_str("none")
        ->group(group);
    app.add_flag("--baseline", options.baseline, "Also the gridding + FFT image, for comparison")->group(group);
}

void add_accuracy_options(CLI::App& app, ReconstructCommandLine& line) {
    const std::string group = "Accuracy, speed, device";
    ReconstructOptions& options = line.reconstruct;
    app.add_option("--precision", options.precision, "Storage of images and k-space: single or double")
        ->transform(named_choice<Precision>({{"single", Precision::single}, {"double", Precision::double_}}))
        ->default_str("single")
        ->group(group);
    options.tolerance_from_noise = true;
    app.add_option_function<std::string>(
           "--tol",
           [&options](const std::string& text) { options.tolerance = text == automatic ? 0 : std::stod(text); },
           "Relative error of the transforms, or auto: 1e-6 (in double precision 1e-12) for Q and F^H d; for time "
           "segments, and the sums that judge images, from the noise of the data, at most 2 % of the error that it "
           "makes, up to 1e-2")
        ->check(number_or(number_from(1e-14, 0.1), {automatic}))
        ->default_str(automatic)
        ->group(group);
    const std::vector<std::string> ways = sampling_kinds().names();
    std::vector<std::string> with_automatic = ways;
    with_automatic.emplace_back(SumsMethod::automatic.name());
    app.add_option_function<std::string>(
           "--sums", [&options](const std::string& name) { options.sums = SumsMethod::named(name); },
           fmt::format("auto (by predicted cost), {}", fmt::join(ways, " or ")))
        ->transform(one_of(with_automatic))
        ->default_str("auto")
        ->group(group);
    app.add_option("--device", line.device, "auto, cpu, cuda:N, several GPUs (cuda:M,N) or all of them (cuda:all)")
        ->capture_default_str();
    app.add_option("--divide", options.divide,
                   "What ranks that mpirun or srun has started divide: auto, coils, frames, or both (frames,coils: "
                   "groups of ranks take frames, each divides the coils of its own); none: each is alone (docs/mpi.md)")
        ->transform(named_choice<RankDivision>({{"auto", RankDivision::automatic},
                                                {"coils", RankDivision::coils},
                                                {"frames", RankDivision::frames},
                                                {"frames,coils", RankDivision::frames_and_coils},
                                                {"none", RankDivision::none}}))
        ->default_str("auto")
        ->group(group);
    app.add_option("--threads", line.thread_count, "CPU threads (default: all cores)")->check(threads())->group(group);
    app.add_option(
           "--memory-limit", line.memory_limit,
           "Most memory of the device (of the program, on the CPU) to use, such as 500M or 2G: larger scans are "
           "reconstructed in pieces (default: what is free)")
        ->group(group);
    app.add_flag("!--no-accuracy-check", options.measure_accuracy, "Skip the comparison with direct sums")
        ->group(group);
    app.add_flag("--quiet", line.quiet, "Warnings and errors only");
    app.add_flag("--verbose", line.verbose, "Details as well, and every iteration")->group(group);
}

void add_cache_options(CLI::App& app, ReconstructCommandLine& line) {
    const std::string group = "Cache of Q, for scans on the same trajectory";
    app.add_option("--cache", line.cache_folder,
                   "Folder of the cache (default: $XDG_CACHE_HOME/recon/q, else ~/.cache/recon/q)")
        ->group(group);
    app.add_option("--cache-size", line.cache_size, "Most space it may take, such as 500M or 10G")
        ->default_str("2G")
        ->group(group);
    app.add_flag("!--no-cache", line.use_cache,
                 "Neither read nor write it, nor the costs that recon bench --calibrate has fitted")
        ->group(group);
}

}  // namespace

void add_reconstruct_options(CLI::App& app, ReconstructCommandLine& line) {
    add_files(app, line);
    add_scan_options(app, line.scan);
    add_margin_option(app, line.margin);
    add_gradient_options(app, line.gradients);
    add_trust_options(app, line.trust);
    add_coil_options(app, line.coil_maps, line.body_coil_path, line.reconstruct.coils);
    add_off_resonance_options(app, line);
    add_regularisation_options(app, line.regularisation);
    add_method_options(app, line);
    add_accuracy_options(app, line);
    add_checkpoint_options(app, line.checkpoint);
    add_cache_options(app, line);
}

DiskCacheOptions cache_options(const ReconstructCommandLine& line) {
    DiskCacheOptions options;
    if (!line.cache_size.empty()) {
        options.limit_bytes = parse_memory_size(line.cache_size, "--cache-size");
    }
    if (line.use_cache) {
        options.folder = line.cache_folder.empty() ? default_cache_folder() : line.cache_folder;
    }
    return options;
}

Progress progress_of(const ReconstructCommandLine& line) {
    if (line.quiet || line.verbose) {
        return line.quiet ? Progress::silent : Progress::all_lines;
    }
    return isatty(STDERR_FILENO) != 0 ? Progress::live_line : Progress::some_lines;
}

ScanReadOptions read_options(const ReconstructCommandLine& line, KspaceReading reading) {
    ScanReadOptions options = read_options(line.scan);
    options.kspace = reading;
    options.fixes = read_fixes(line.trust.fixes);
    options.coil_maps = file_of_coil_maps(line.coil_maps);
    options.drop_unweighted = line.reconstruct.weighting == SampleWeighting::density;
    const std::string named = line.off_resonance.named_map();
    options.field_map_name = names_a_file(named) ? "" : named;
    return options;
}

void look_through_inputs(const ReconstructCommandLine& line) {
    for (const NamedFile& input : inputs_of(line)) {
        require_sound_hdf5(parse_file_and_dataset(input.path).path);
    }
}

}  // namespace recon
