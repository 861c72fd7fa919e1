#include "app/cli/reference/reference_image.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "app/cli/reference/comparable_images.hpp"
#include "app/report/comparison_report.hpp"
#include "core/base/error.hpp"
#include "core/base/log.hpp"
#include "core/base/shape.hpp"
#include "core/mri/metrics/image_metrics.hpp"
#include "data/reading/placed_image_reader.hpp"
#include "data/reading/scan/scan_checks.hpp"

namespace recon {

Image load_reference(const std::string& path, const Scan& scan) {
    StoredImage stored = read_placed_image(path);
    Image& reference = stored.image;
    if (const std::string note = arrange_as(scan, reference, path); !note.empty()) {
        log_info("{}: {}", path, note);
    }
    const auto lies_as_the_first = [](const Frame& frame) { return !frame.orientation; };
    if (std::ranges::all_of(scan.frames, lies_as_the_first)) {
        if (const std::string note = align_reference(reference, scan.geometry, path); !note.empty()) {
            log_info("{}: {}", path, note);
        }
    }
    if (reference.geometry.matrix_size != scan.geometry.matrix_size) {
        throw InputError(fmt::format("{}: the reference is {}, the image will be {}; expected equal sizes", path,
                                     Shape::image(reference.geometry.matrix_size).text(),
                                     Shape::image(scan.geometry.matrix_size).text()));
    }
    const Index frame_count = static_cast<Index>(scan.frames.size());
    if (reference.frame_count() != 1 && reference.frame_count() != frame_count) {
        throw InputError(fmt::format("{}: the reference has {} frames, the scan {}; expected as many, or one", path,
                                     reference.frame_count(), frame_count));
    }
    for (Index frame = 0; frame < reference.frame_count(); ++frame) {
        const std::span<const cfloat> voxels = reference.frame(frame);
        check_finite(voxels, path, "the reference");
        if (std::ranges::all_of(voxels, [](cfloat value) { return value == cfloat(0); })) {
            throw InputError(
                fmt::format("{}: frame {} of the reference is zero everywhere, expected an image to "
                            "compare with",
                            path, frame));
        }
    }
    if (stored.is_real) {
        log_info(
            "{}: the reference is real, and the phase of the image counts as error; `recon compare` takes magnitudes "
            "of both",
            path);
    }
    return std::move(reference);
}

RunRecord judge_by_reference(const std::string& name, const Image& image, const Image& reference) {
    std::vector<ImageComparison> figures;
    for (Index i = 0; i < image.frame_count(); ++i) {
        const Index reference_frame = reference.frame_count() == 1 ? 0 : i;
        figures.push_back(compare_images(image.frame(i), reference.frame(reference_frame), image.geometry.matrix_size));
        log_info("{} against the reference: NRMSE {:.4f}, {:.4f} after one complex scale, PSNR {:.2f} dB, SSIM {:.4f}",
                 name, figures.back().nrmse, figures.back().nrmse_scaled, figures.back().psnr_db, figures.back().ssim);
    }
    return comparison_json(figures);
}

}  // namespace recon
