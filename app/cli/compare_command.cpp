#include "app/cli/compare_command.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <memory>

#include "app/cli/reference/comparable_images.hpp"
#include "app/report/comparison_report.hpp"
#include "core/base/error.hpp"
#include "core/base/shape.hpp"
#include "core/mri/metrics/image_metrics.hpp"
#include "data/files/file_identity.hpp"
#include "data/files/hdf5_file.hpp"
#include "data/files/json_writer.hpp"
#include "data/pictures/display_window.hpp"
#include "data/pictures/montage.hpp"
#include "data/reading/format.hpp"
#include "data/reading/output_name.hpp"
#include "data/reading/placed_image_reader.hpp"
#include "data/reading/stored/file_and_dataset.hpp"

namespace recon {

namespace {

struct CompareOptions {
    std::string image_path;
    std::string reference_path;
    std::string dataset;
    std::string reference_dataset;
    std::string png_path;
    std::string json_path;
};

/// The reference frame that belongs to a frame of the image: a single reference serves all.
Index reference_frame(const Image& reference, Index frame) { return reference.frame_count() == 1 ? 0 : frame; }

std::string size_text(const Image& image) {
    const std::string size = Shape::image(image.geometry.matrix_size).text();
    return image.frame_count() == 1 ? size : fmt::format("{} frames of {}", image.frame_count(), size);
}

void require_equal_sizes(const CompareOptions& options, const Image& image, const Image& reference) {
    if (image.geometry.matrix_size != reference.geometry.matrix_size ||
        (reference.frame_count() != 1 && reference.frame_count() != image.frame_count())) {
        throw InputError(fmt::format("{} is {}, {} is {}; expected equal sizes", options.image_path, size_text(image),
                                     options.reference_path, size_text(reference)));
    }
}

/// 1, 2 or 5 times a power of ten, so that the error fills the grey scale of the reference but rarely leaves it.
double readable_gain(double gain) {
    const double power = std::pow(10, std::floor(std::log10(std::clamp(gain, 1.0, 1e9))));
    const double leading = std::clamp(gain, 1.0, 1e9) / power;
    return power * (leading >= 5 ? 5 : leading >= 2 ? 2 : 1);
}

std::vector<float> magnitudes(const std::vector<cfloat>& voxels) {
    std::vector<float> result(voxels.size());
    std::transform(voxels.begin(), voxels.end(), result.begin(), [](cfloat v) { return std::abs(v); });
    return result;
}

/// Reference, image after the fitted scale, and the magnitude of their difference, on one grey scale.
Picture difference_picture(const Image& image, const Image& reference, const std::vector<ImageComparison>& figures) {
    Image shown_reference = image, scaled = image, error = image;
    for (Index frame = 0; frame < image.frame_count(); ++frame) {
        const auto from = image.frame(frame), to = reference.frame(reference_frame(reference, frame));
        const Index first = frame * image.voxel_count();
        for (Index n = 0; n < image.voxel_count(); ++n) {
            const cdouble value = figures[frame].scale * cdouble(from[n]);
            shown_reference.voxels[first + n] = to[n];
            scaled.voxels[first + n] = cfloat(value);
            error.voxels[first + n] = cfloat(value - cdouble(to[n]));
        }
    }
    const double white = display_maximum(magnitudes(shown_reference.voxels));
    constexpr double almost_all = 0.999;
    const double largest = percentile(magnitudes(error.voxels), almost_all);
    const double gain = largest > 0 ? readable_gain(white / largest) : 1;
    for (cfloat& voxel : error.voxels) {
        voxel = cfloat(gain * cdouble(voxel));
    }
    const std::array<MontagePanel, 3> panels{
        MontagePanel{"reference", &shown_reference}, MontagePanel{"image", &scaled, PanelScale::as_it_is},
        MontagePanel{fmt::format("error x {:g}", gain), &error, PanelScale::as_it_is}};
    return montage(panels, 0);
}

/// "image.h5:/image"; a file of one image alone by its name.
std::string place_of(const std::string& path, const StoredImage& stored) {
    return stored.dataset.empty() ? path : parse_file_and_dataset(path).path + ":" + stored.dataset;
}

void compare(CompareOptions options) {
    options.image_path = with_extension(options.image_path);
    options.reference_path = with_extension(options.reference_path);
    const std::vector<NamedFile> outputs{{"--png", options.png_path}, {"--json", options.json_path}};
    require_outputs_apart(std::vector<NamedFile>{{"image", options.image_path}, {"reference", options.reference_path}},
                          outputs);
    require_fitting_names(outputs);
    StoredImage image = read_placed_image(options.image_path, options.dataset);
    const bool shares_dataset = options.reference_dataset.empty() && H5File::looks_like_hdf5(options.reference_path);
    StoredImage reference =
        read_placed_image(options.reference_path, shares_dataset ? options.dataset : options.reference_dataset);
    std::string notes;
    for (const std::string& note : {stack_alike(image.image, reference.image),
                                    align_reference(reference.image, image.image.geometry, options.reference_path),
                                    share_magnitudes(image, reference)}) {
        notes += note.empty() ? "" : fmt::format("note       {}\n", note);
    }
    require_equal_sizes(options, image.image, reference.image);

    std::vector<ImageComparison> figures;
    for (Index frame = 0; frame < image.image.frame_count(); ++frame) {
        try {
            figures.push_back(compare_images(image.image.frame(frame),
                                             reference.image.frame(reference_frame(reference.image, frame)),
                                             image.image.geometry.matrix_size));
        } catch (const InputError& error) {
            throw InputError(fmt::format("{} against {}, frame {}: {}", options.image_path, options.reference_path,
                                         frame, error.what()));
        }
    }
    fmt::print("image      {}\nreference  {}\nsize       {}\n{}\n{}", place_of(options.image_path, image),
               place_of(options.reference_path, reference), size_text(image.image), notes, comparison_table(figures));

    if (!options.json_path.empty()) {
        nlohmann::json document = comparison_json(figures);
        document["image"] = place_of(options.image_path, image);
        document["reference"] = place_of(options.reference_path, reference);
        document["matrix_size"] = image.image.geometry.matrix_size;
        write_json(options.json_path, document);
    }
    if (!options.png_path.empty()) {
        write_png(options.png_path, difference_picture(image.image, reference.image, figures));
    }
}

}  // namespace

void add_compare_command(CLI::App& app) {
    const auto options = std::make_shared<CompareOptions>();
    CLI::App* command = app.add_subcommand("compare", "Measure how far an image is from a reference");
    command->footer(
        "NRMSE is |image - reference| / |reference| over all voxels; 'scaled' after one complex scale fitted where "
        "the reference holds signal; 'in mask' and SNR there alone; PSNR and SSIM over all voxels after the fit. "
        "docs/judging.md has the formulas.\n\n"
        "  recon compare image.h5 truth.h5\n"
        "  recon compare image.h5 image.h5 --dataset /baseline/image --reference-dataset /image --png difference.png");
    command->add_option("image", options->image_path, "File with the image to judge, in any format that recon reads")
        ->required();
    command
        ->add_option("reference", options->reference_path,
                     "File with the image that counts as right, in any format that recon reads")
        ->required();
    command->add_option("--dataset", options->dataset,
                        "Dataset in both files [/image, or /dataset/image in MRD files]");
    command->add_option("--reference-dataset", options->reference_dataset, "Dataset in the reference, if another one");
    command->add_option("--png", options->png_path, "Write a picture: reference, image, magnified error");
    command->add_option("--json", options->json_path, "Write the figures as JSON");
    command->callback([options] { compare(*options); });
}

}  // namespace recon
