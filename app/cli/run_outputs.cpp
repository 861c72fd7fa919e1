#include "app/cli/run_outputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <span>

#include "app/cli/shell/option_names.hpp"
#include "app/cli/stream/standard_streams.hpp"
#include "app/pipeline/run.hpp"
#include "app/report/bids_sidecar.hpp"
#include "app/report/page/report_page.hpp"
#include "app/report/run_origin.hpp"
#include "app/report/run_record.hpp"
#include "core/base/log.hpp"
#include "data/files/json_writer.hpp"
#include "data/files/write_bytes.hpp"
#include "data/pictures/montage.hpp"

namespace recon {
namespace {

Picture picture_of(const std::string& title, const RunOutputs& outputs) {
    const auto& [image, baseline, reference, extras] = outputs;
    if (!baseline && !reference) {
        return montage(image);
    }
    std::vector<MontagePanel> panels;
    if (baseline) {
        panels.push_back({"gridding", &*baseline});
    }
    panels.push_back({title, &image});
    if (reference && reference->frame_count() == image.frame_count()) {
        panels.push_back({"reference", &*reference});
        return montage(panels, static_cast<Index>(panels.size()) - 1);
    }
    return montage(panels, std::nullopt);
}

/// The sidecar of an image that was written, unless another output of this run has its name.
void write_sidecar(const ReconstructCommandLine& line, const Format& format, const std::string& image_path,
                   const RunRecord& record, const Image& image) {
    namespace fs = std::filesystem;
    std::error_code ignored;
    if (!format.has_sidecar || !fs::is_regular_file(image_path, ignored)) {
        return;
    }
    const std::string path = without_extension(image_path, format) + ".json";
    const auto is_at_path = [&, place = fs::weakly_canonical(path, ignored)](const NamedFile& output) {
        return !output.path.empty() && fs::weakly_canonical(output.path, ignored) == place;
    };
    const std::vector<NamedFile> outputs = outputs_of(line);
    const auto same = std::ranges::find_if(outputs, is_at_path);
    if (same != outputs.end()) {
        log_warning("{} has no BIDS sidecar: {} {} has its name", image_path, same->role, same->path);
        return;
    }
    write_bids_sidecar(path, bids_sidecar(record, image));
}

}  // namespace

void write_image_ahead(const ReconstructCommandLine& line, const Scan& scan, const FieldInScan& field,
                       RunControl& control, std::optional<ImageHdf5Writer>& image_file) {
    if (image_only_format(line.out_path) != nullptr) {
        return;
    }
    const auto file = [&]() -> ImageHdf5Writer& {
        return image_file ? *image_file : image_file.emplace(line.out_path);
    };
    if (!is_empty(field.margin)) {
        return;  // what is computed is not what is written
    }
    control.coil_maps_are_ready = [file](const NamedArray& maps) { file().write_ahead(maps); };
    control.image_is_ready = [&, file](std::vector<cfloat>& voxels, std::span<const NamedArray> maps) {
        const StageScope stage(control, Stage::write);
        const Frame& frame = scan.frames.front();
        Image image;
        image.geometry = field.geometry;
        image.frames = {{frame.label, frame.orientation}};
        image.voxels = std::move(voxels);
        file().write_ahead(image, maps);
        voxels = std::move(image.voxels);
    };
}

void write_outputs(const ReconstructCommandLine& line, const RunOutputs& outputs, RunRecord& record,
                   RunControl& control, double seconds_before, ImageHdf5Writer* image_file) {
    const double written_ahead = control.stages.of(Stage::write).seconds;
    {
        const StageScope stage(control, Stage::write);
        if (outputs.image.study.empty()) {
            outputs.image.study = record.value("scan_sha256", "");
        }
        record["seconds"]["write"] = written_ahead + stage.seconds();
        record["seconds"]["total"] = seconds_before + stage.seconds();
        record["memory_peak_bytes"] = memory_peak_bytes();
        record["log"] = log_history();
        if (const Format* format = image_only_format(line.out_path)) {
            format->write_image(outputs.image, line.out_path);
            write_sidecar(line, *format, line.out_path, record, outputs.image);
            log_info("{} holds the image alone; the record of the run goes with an `out` of HDF5 (.h5), or to `json`",
                     line.out_path);
        } else {
            const ImageFile contents{outputs.image, outputs.baseline ? &*outputs.baseline : nullptr, record,
                                     outputs.extras};
            if (image_file != nullptr) {
                image_file->finish(contents);
            } else {
                write_image_hdf5(line.out_path, contents);
            }
        }
        // What else is asked for comes after the image, which is there if they fail.
        if (!line.png_path.empty()) {
            write_png(line.png_path, picture_of(image_title(line.reconstruct.regularisation), outputs));
        }
        for (const auto& [format, path] : line.image_copies) {
            if (!path.empty()) {
                formats().get(format).write_image(outputs.image, path);
                write_sidecar(line, formats().get(format), path, record, outputs.image);
            }
        }
    }
    const double write_seconds = control.stages.of(Stage::write).seconds;
    record["seconds"]["write"] = write_seconds;
    record["seconds"]["total"] = seconds_before + write_seconds - written_ahead;
    record["log"] = log_history();
    if (!line.json_path.empty()) {
        write_json(line.json_path, record);
    }
    if (!line.report_path.empty()) {
        write_report(read_page_contents(line.out_path), line.report_path);
        log_info("{}: the page of this run", line.report_path);
    }
}

void remove_margin(const FieldInScan& field, std::vector<FrameResult>& results) {
    if (is_empty(field.margin)) {
        return;
    }
    const PerAxis<Index>& matrix_size = field.geometry.matrix_size;
    for (FrameResult& result : results) {
        for (std::vector<cfloat>* const image : {&result.image, &result.baseline}) {
            *image = without_margin(std::span<const cfloat>(*image), matrix_size, field.margin);
        }
        for (NamedArray& extra : result.extras) {
            remove_margin(extra, matrix_size, field.margin);
        }
    }
}

Image take_image(const Scan& scan, std::vector<FrameResult>& results, std::vector<cfloat> FrameResult::*voxels) {
    Image image;
    image.geometry = scan.geometry;
    image.study = scan.measurement.study;
    image.frames.clear();
    image.voxels = std::move(results.front().*voxels);
    image.voxels.reserve(image.voxels.size() * results.size());
    for (std::size_t i = 0; i < results.size(); ++i) {
        image.frames.push_back({results[i].label, scan.frames[i].orientation});
        const std::vector<cfloat> frame = std::move(results[i].*voxels);  // nothing is left of the first
        image.voxels.insert(image.voxels.end(), frame.begin(), frame.end());
    }
    return image;
}

std::vector<NamedArray> take_extras(std::vector<FrameResult>& results) {
    std::vector<NamedArray> extras;
    for (std::size_t i = 0; i < results.size(); ++i) {
        for (NamedArray& extra : results[i].extras) {
            if (results.size() > 1) {
                extra.name = fmt::format("frame_{}/{}", i, extra.name);
            }
            extras.push_back(std::move(extra));
        }
    }
    return extras;
}

void write_failure_page(const ReconstructCommandLine& line, const std::string& error) {
    if (line.report_path.empty() || !line.outputs_checked) {
        return;
    }
    try {
        RunRecord record = program_record();
        record["options"] = line.given;
        record["command"] = line.command;
        record["log"] = log_history();
        const std::string page = failure_page(record, with_options(error, line.option_names));
        write_bytes(line.report_path, std::as_bytes(std::span(page)));
        log_info("{}: what is known of this run", line.report_path);
    } catch (const std::exception& refused) {
        log_warning("no page of this run: {}", refused.what());
    }
}

}  // namespace recon
