#include "app/reconstruct_command.hpp"

#include <algorithm>
#include <filesystem>
#include <memory>

#include "app/backend_choice.hpp"
#include "app/comparison_report.hpp"
#include "app/memory_forecast.hpp"
#include "app/reconstruction.hpp"
#include "app/run_record.hpp"
#include "core/error.hpp"
#include "core/log.hpp"
#include "data/array_reader.hpp"
#include "data/atomic_output.hpp"
#include "data/image_reader.hpp"
#include "data/json_writer.hpp"
#include "data/montage.hpp"
#include "data/nifti_writer.hpp"
#include "data/scan_reader.hpp"

namespace recon {
namespace {

struct CommandLine {
    std::string scan_path;
    std::string out_path = "image.h5";
    std::string png_path;
    std::string nifti_path;
    std::string json_path;
    std::string reference_path;
    std::string coil_maps_path;
    std::string select;
    std::string trajectory_unit;
    std::vector<Index> matrix_size;
    std::vector<double> field_of_view_mm;
    OutOfBand out_of_band = OutOfBand::keep;
    std::string field_map_name;
    std::string device = "auto";
    int thread_count = 0;
    bool quiet = false;
    bool verbose = false;
    ReconstructOptions reconstruct;
    RunRecord given;  ///< all options and their values, for the record
};

template <class T>
auto choice(std::vector<std::pair<std::string, T>> names) {
    return CLI::CheckedTransformer(std::move(names), CLI::ignore_case).description("");
}

void add_files(CLI::App& app, CommandLine& line) {
    app.add_option("--scan", line.scan_path, "Scan to reconstruct: MRD or recon HDF5, or an IMPATIENT folder")
        ->group("Files");
    app.add_option("--out", line.out_path, "Image and record of the run (HDF5)")->capture_default_str()->group("Files");
    app.add_option("--png", line.png_path, "Picture of the slices; with --baseline and --reference side by side")
        ->group("Files");
    app.add_option("--nifti", line.nifti_path, "Magnitude image as NIfTI-1 (.nii or .nii.gz)")->group("Files");
    app.add_option("--json", line.json_path, "Record of the run as JSON")->group("Files");
    app.add_option("--reference", line.reference_path, "Image to judge the result by (any HDF5 image)")->group("Files");
    app.add_option("--coil-maps", line.coil_maps_path,
                   "Coil maps (recon HDF5, or an MRD NDArray `coil_maps`); else those of the scan, else estimated")
        ->group("Files");
}

void add_scan_options(CLI::App& app, CommandLine& line) {
    const std::string group = "What is in the scan";
    app.add_option("--select", line.select, "Frames to reconstruct, such as contrast=0,slice=2-4")->group(group);
    app.add_option("--trajectory-unit", line.trajectory_unit,
                   "cycles/FOV, cycles/voxel, rad/voxel, 1/m or rad/m; detected if not given")
        ->group(group);
    app.add_option("--matrix", line.matrix_size, "Voxels along x y z, if not those of the scan; axes left out have one")
        ->expected(1, 3)
        ->check(CLI::PositiveNumber)
        ->group(group);
    app.add_option("--fov", line.field_of_view_mm, "Field of view along x y z in mm, if not that of the scan")
        ->expected(1, 3)
        ->check(CLI::PositiveNumber)
        ->group(group);
    app.add_option("--outside", line.out_of_band, "Samples outside the band of the matrix: keep or drop")
        ->transform(choice<OutOfBand>({{"keep", OutOfBand::keep}, {"drop", OutOfBand::drop}}))
        ->default_str("keep")
        ->group(group);
    app.add_option("--field-map", line.field_map_name,
                   "Correct off-resonance with this field map in Hz: its name in the scan, or a file")
        ->group(group);
    app.add_flag("!--no-prewhitening", line.reconstruct.prewhiten, "Leave the coils as they are despite a noise scan")
        ->group(group);
}

void add_method_options(CLI::App& app, CommandLine& line) {
    const std::string group = "Method";
    ReconstructOptions& options = line.reconstruct;
    app.add_option("--iterations", options.cg.iterations, "Most iterations of conjugate gradients")
        ->check(CLI::Range(0, 100000))
        ->capture_default_str()
        ->group(group);
    app.add_option("--stop", options.cg.stop, "Relative residual at which to stop earlier")
        ->check(CLI::NonNegativeNumber)
        ->capture_default_str()
        ->group(group);
    app.add_option("--lambda", options.lambda,
                   "Tikhonov term, relative to Q(0): one value means the same on every scan; try 1e-4 to 1e-2 on noise")
        ->check(CLI::NonNegativeNumber)
        ->capture_default_str()
        ->group(group);
    app.add_option("--weights", options.weighting, "Weight of the samples in the fit: none or density")
        ->transform(choice<SampleWeighting>({{"none", SampleWeighting::none}, {"density", SampleWeighting::density}}))
        ->default_str("none")
        ->group(group);
    app.add_option("--voxel", options.voxel_basis, "Shape of a voxel: point or box")
        ->transform(choice<VoxelBasis>({{"point", VoxelBasis::point}, {"box", VoxelBasis::box}}))
        ->default_str("point")
        ->group(group);
    app.add_option("--calibration-radius", options.coil_map_estimate.calibration_radius,
                   "Part of k-space that coil maps are estimated from, cycles per FOV (default: 16, or N/4 if less)")
        ->check(CLI::PositiveNumber)
        ->group(group);
    app.add_flag("--baseline", options.baseline, "Also the gridding + FFT image, for comparison")->group(group);
}

void add_accuracy_options(CLI::App& app, CommandLine& line) {
    const std::string group = "Accuracy, speed, device";
    ReconstructOptions& options = line.reconstruct;
    app.add_option("--precision", options.precision, "Storage of images and k-space: single or double")
        ->transform(choice<Precision>({{"single", Precision::single}, {"double", Precision::double_}}))
        ->default_str("single")
        ->group(group);
    app.add_option("--tol", options.tolerance,
                   "Relative error of the transforms (default: 1e-6 in single, 1e-12 in double precision)")
        ->check(CLI::Range(1e-14, 0.1))
        ->group(group);
    app.add_option("--sums", options.sums, "auto (by predicted cost), exact or nufft")
        ->transform(choice<SumsMethod>(
            {{"auto", SumsMethod::automatic}, {"exact", SumsMethod::exact}, {"nufft", SumsMethod::nufft}}))
        ->default_str("auto")
        ->group(group);
    app.add_option("--device", line.device, "auto, cpu or cuda:N")->capture_default_str()->group(group);
    app.add_option("--threads", line.thread_count, "CPU threads (default: all cores)")
        ->check(CLI::PositiveNumber)
        ->group(group);
    app.add_flag("!--no-accuracy-check", options.measure_accuracy, "Skip the comparison with direct sums")
        ->group(group);
    app.add_flag("--quiet", line.quiet, "Warnings and errors only")->group(group);
    app.add_flag("--verbose", line.verbose, "Details as well")->group(group);
}

/// 1 to 3 values for x, y, z; axes without one get `absent`.
template <class T>
PerAxis<T> per_axis(const std::vector<T>& values, T absent) {
    PerAxis<T> result{absent, absent, absent};
    std::copy(values.begin(), values.end(), result.begin());
    return result;
}

ScanReadOptions read_options(const CommandLine& line) {
    ScanReadOptions options;
    options.selection = line.select.empty() ? FrameSelection() : FrameSelection(line.select);
    options.out_of_band = line.out_of_band;
    options.field_map_name = std::filesystem::exists(line.field_map_name) ? "" : line.field_map_name;
    if (!line.trajectory_unit.empty()) {
        options.trajectory_unit = parse_trajectory_unit(line.trajectory_unit);
    }
    if (!line.matrix_size.empty()) {
        options.matrix_size = per_axis<Index>(line.matrix_size, 1);
    }
    if (!line.field_of_view_mm.empty()) {
        options.field_of_view_mm = per_axis<double>(line.field_of_view_mm, 0);
    }
    return options;
}

/// Fails now, rather than after the work, where an output cannot be written.
void check_outputs(const CommandLine& line) {
    for (const std::string& path : {line.out_path, line.png_path, line.nifti_path, line.json_path}) {
        if (!path.empty()) {
            const AtomicOutput probe(path);
        }
    }
}

Scan load_scan(const CommandLine& line) {
    Scan scan = read_scan(line.scan_path, read_options(line));
    if (!line.coil_maps_path.empty()) {
        scan.coil_maps = read_coil_maps(line.coil_maps_path, scan.geometry.matrix_size, scan.coil_count);
    }
    if (std::filesystem::exists(line.field_map_name)) {
        scan.off_resonance_hz = read_field_map(line.field_map_name, scan.geometry.matrix_size);
    }
    if (line.reconstruct.correct_off_resonance) {
        if (scan.off_resonance_hz.empty()) {
            throw InputError(line.scan_path + ": has no field map '" + line.field_map_name +
                             "'; recon info lists what is there");
        }
        for (const Frame& frame : scan.frames) {
            if (frame.sample_times_s.empty()) {
                throw InputError(
                    line.scan_path +
                    ": a field map needs sample times, which the scan does not give; leave out --field-map");
            }
        }
    } else if (!scan.off_resonance_hz.empty()) {
        log_info("the scan has a field map, which is not used; correct off-resonance with --field-map NAME");
    }
    return scan;
}

Image assemble(const Scan& scan, const std::vector<FrameResult>& results,
               const std::vector<cfloat> FrameResult::*voxels) {
    Image image;
    image.geometry = scan.geometry;
    image.frames.clear();
    for (std::size_t i = 0; i < results.size(); ++i) {
        image.frames.push_back({results[i].label, scan.frames[i].orientation});
        const std::vector<cfloat>& frame = results[i].*voxels;
        image.voxels.insert(image.voxels.end(), frame.begin(), frame.end());
    }
    return image;
}

/// Figures of every frame against the reference frame of its number, or the only one.
RunRecord judge(const char* name, const Image& image, const Image& reference) {
    std::vector<ImageComparison> figures;
    for (Index i = 0; i < image.frame_count(); ++i) {
        const Index reference_frame = reference.frame_count() == 1 ? 0 : i;
        figures.push_back(compare_images(image.frame(i), reference.frame(reference_frame), image.geometry.matrix_size));
        log_info("{} against the reference: NRMSE {:.4f}, {:.4f} after one complex scale, PSNR {:.2f} dB, SSIM {:.4f}",
                 name, figures.back().nrmse, figures.back().nrmse_scaled, figures.back().psnr_db, figures.back().ssim);
    }
    return comparison_json(figures);
}

Image load_reference(const CommandLine& line, const Scan& scan) {
    Image reference = read_image(line.reference_path).image;
    if (reference.geometry.matrix_size != scan.geometry.matrix_size) {
        throw InputError(fmt::format("{}: the reference is {}, the image will be {}; expected equal sizes",
                                     line.reference_path, Shape::image(reference.geometry.matrix_size).text(),
                                     Shape::image(scan.geometry.matrix_size).text()));
    }
    const Index frame_count = static_cast<Index>(scan.frames.size());
    if (reference.frame_count() != 1 && reference.frame_count() != frame_count) {
        throw InputError(fmt::format("{}: the reference has {} frames, the scan {}; expected as many, or one",
                                     line.reference_path, reference.frame_count(), frame_count));
    }
    return reference;
}

Picture picture_of(const Image& image, const std::optional<Image>& baseline, const std::optional<Image>& reference) {
    if (!baseline && !reference) {
        return montage(image);
    }
    std::vector<MontagePanel> panels;
    if (baseline) {
        panels.push_back({"gridding", &*baseline});
    }
    panels.push_back({"least squares", &image});
    if (reference && reference->frame_count() == image.frame_count()) {
        panels.push_back({"reference", &*reference});
        return montage(panels, static_cast<Index>(panels.size()) - 1);
    }
    return montage(panels, std::nullopt);
}

void write_outputs(const CommandLine& line, const Image& image, const std::optional<Image>& baseline,
                   const std::optional<Image>& reference, RunRecord& record, StageTimer& timer, double seconds_before) {
    {
        const auto stage = timer.stage("write");
        if (!line.png_path.empty()) {
            write_png(line.png_path, picture_of(image, baseline, reference));
        }
        if (!line.nifti_path.empty()) {
            write_nifti(line.nifti_path, image);
        }
        record["seconds"]["write"] = stage.seconds();
        record["seconds"]["total"] = seconds_before + stage.seconds();
        record["memory_peak_bytes"] = memory_peak_bytes();
        record["log"] = log_history();
        write_image_hdf5(line.out_path, {image, baseline ? &*baseline : nullptr, record});
    }
    const double write_seconds = timer.seconds().at("write");
    record["seconds"]["write"] = write_seconds;
    record["seconds"]["total"] = seconds_before + write_seconds;
    if (!line.json_path.empty()) {
        write_json(line.json_path, record);
    }
}

void run(CommandLine& line) {
    StageTimer timer;
    const auto total = timer.stage("total");
    set_log_level(line.quiet ? LogLevel::warning : line.verbose ? LogLevel::debug : LogLevel::info);
    if (line.scan_path.empty()) {
        throw UsageError("--scan FILE is required (recon --help lists the options and subcommands)");
    }
    line.reconstruct.correct_off_resonance = !line.field_map_name.empty();
    check_outputs(line);
    Scan scan;
    {
        const auto stage = timer.stage("read");
        scan = load_scan(line);
    }
    std::optional<Image> reference;
    if (!line.reference_path.empty()) {
        reference = load_reference(line, scan);
    }
    const auto backend = make_backend(line.device, line.thread_count);
    log_info("backend: {}", backend->description());
    std::optional<MemoryForecast> forecast;
    if (backend->name() == "cpu") {
        forecast = forecast_memory(scan, *backend, line.reconstruct);
        log_info("memory: {:.2f} GB expected at the peak ({})", static_cast<double>(forecast->peak_bytes) / 1e9,
                 forecast->peak_stage);
    }

    const IterationMonitor::Style style =
        line.quiet ? IterationMonitor::Style::silent : IterationMonitor::default_style();
    const std::vector<FrameResult> results = reconstruct(scan, *backend, line.reconstruct, style, timer);
    const Image image = assemble(scan, results, &FrameResult::image);
    std::optional<Image> baseline;
    if (line.reconstruct.baseline) {
        baseline = assemble(scan, results, &FrameResult::baseline);
    }

    RunRecord record = reconstruction_record(*backend, results, timer);
    record["options"] = line.given;
    if (forecast) {
        record["memory_forecast_bytes"] = forecast->peak_bytes;
    }
    if (reference) {
        record["reference"] = judge("least squares", image, *reference);
        if (baseline) {
            record["baseline"] = judge("gridding", *baseline, *reference);
        }
    }
    log_info("data residual |E rho - d| / |d| = {:.5f}", results.front().data_residual);
    write_outputs(line, image, baseline, reference, record, timer, total.seconds());
    log_info("{} written in {:.2f} s in all", line.out_path, total.seconds());
}

/// Every option with the value in force, by name.
RunRecord options_in_force(const CLI::App& app) {
    RunRecord record = RunRecord::object();
    for (const CLI::Option* option : app.get_options()) {
        const std::string name = option->get_single_name();
        if (name == "help" || name == "version") {
            continue;
        }
        std::string value = option->get_default_str();
        if (option->count() > 0) {
            value = CLI::detail::join(option->results(), " ");
        }
        record[name] = value;
    }
    return record;
}

}  // namespace

void add_reconstruct_command(CLI::App& app) {
    const auto line = std::make_shared<CommandLine>();
    add_files(app, *line);
    add_scan_options(app, *line);
    add_method_options(app, *line);
    add_accuracy_options(app, *line);
    app.callback([&app, line] {
        if (app.get_subcommands().empty()) {
            line->given = options_in_force(app);
            run(*line);
        }
    });
}

}  // namespace recon
