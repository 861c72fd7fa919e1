#include <fmt/format.h>

#include "app/cli/reconstruct_command_line.hpp"
#include "app/cli/stream/standard_streams.hpp"
#include "core/base/error.hpp"
#include "data/files/atomic_output.hpp"
#include "data/reading/field_map_reader.hpp"
#include "data/reading/format.hpp"
#include "data/reading/output_name.hpp"

namespace recon {

namespace {

void require_fitting_names_of(const ReconstructCommandLine& line, std::span<const NamedFile> outputs) {
    require_fitting_name({"--out", line.out_path}, endings_with(&Format::write_image));
    require_fitting_names(outputs);
    for (const auto& [format, path] : line.image_copies) {
        require_fitting_name({"--" + format, path}, extensions_of(formats().get(format)));
    }
}

}  // namespace

void complete_names(ReconstructCommandLine& line) {
    for (std::string* path :
         {&line.scan_path, &line.scan.trajectory, &line.reference_path, &line.coil_maps, &line.body_coil_path,
          &line.regularisation.image_path, &line.regularisation.mask_path, &line.gradients.impulse_response,
          &line.off_resonance.r2star_map, &line.reconstruct.coils.noise_covariance_path}) {
        *path = with_extension(*path);
    }
    if (!line.off_resonance.named_map().empty()) {
        line.off_resonance.field_map = with_extension(line.off_resonance.field_map);
    }
}

void require_record_of_report(const ReconstructCommandLine& line) {
    const Format* image_only = image_only_format(line.out_path);
    if (!line.report_path.empty() && image_only != nullptr) {
        throw UsageError(fmt::format(
            "--report is made of an --out of HDF5 (.h5), and {0} holds the image alone; --out image.h5 --{1} "
            "{0} writes both",
            line.out_path, image_only->name));
    }
}

std::vector<NamedFile> inputs_of(const ReconstructCommandLine& line) {
    const auto file_or_nothing = [](const std::string& name) { return names_a_file(name) ? name : ""; };
    return {{"--scan", line.scan_path},
            {"--config", line.config_path},
            {"--trajectory", line.scan.trajectory},
            {"--girf", line.gradients.impulse_response},
            {"--reference", line.reference_path},
            {"--coil-maps", file_of_coil_maps(line.coil_maps)},
            {"--body-coil", line.body_coil_path},
            {"--noise-covariance", line.reconstruct.coils.noise_covariance_path},
            {"--prior-image", line.regularisation.image_path},
            {"--mask", line.regularisation.mask_path},
            {"--field-map", file_or_nothing(line.off_resonance.named_map())},
            {"--r2star-map", file_or_nothing(line.off_resonance.r2star_map)}};
}

std::vector<NamedFile> outputs_of(const ReconstructCommandLine& line) {
    std::vector<NamedFile> outputs{{"--out", line.out_path},
                                   {"--png", line.png_path},
                                   {"--lambda-png", line.regularisation.lambda_png_path},
                                   {"--uncertainty-png", line.regularisation.uncertainty_png_path},
                                   {"--json", line.json_path},
                                   {"--report", line.report_path},
                                   {"--checkpoint", line.checkpoint.path}};
    for (const auto& [format, path] : line.image_copies) {
        outputs.push_back({"--" + format, path});
    }
    return outputs;
}

void check_outputs(const ReconstructCommandLine& line) {
    const std::vector<NamedFile> outputs = outputs_of(line);
    require_outputs_apart(inputs_of(line), outputs);
    require_fitting_names_of(line, outputs);
    for (const NamedFile& output : outputs) {
        if (!output.path.empty()) {
            const AtomicOutput probe(output.path);
        }
    }
}

}  // namespace recon
