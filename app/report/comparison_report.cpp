#include "app/report/comparison_report.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/base/error.hpp"
#include "core/base/number_text.hpp"

namespace recon {
namespace {

double mean(std::span<const ImageComparison> frames, double ImageComparison::*figure) {
    double sum = 0;
    for (const ImageComparison& frame : frames) {
        sum += frame.*figure;
    }
    return sum / static_cast<double>(frames.size());
}

std::string percent(double value) { return fmt::format("{:#.4g} %", 100 * value); }

}  // namespace

nlohmann::json comparison_json(const ImageComparison& figures) {
    return {{"nrmse", finite_or_null(figures.nrmse)},
            {"nrmse_scaled", finite_or_null(figures.nrmse_scaled)},
            {"nrmse_mask", finite_or_null(figures.nrmse_mask)},
            {"psnr_db", finite_or_null(figures.psnr_db)},
            {"snr_db", finite_or_null(figures.snr_db)},
            {"ssim", finite_or_null(figures.ssim)},
            {"scale", {figures.scale.real(), figures.scale.imag()}},
            {"voxels", figures.voxel_count},
            {"mask_voxels", figures.mask_voxel_count}};
}

nlohmann::json comparison_json(std::span<const ImageComparison> frames) {
    if (frames.empty()) {
        throw ShapeError("comparison report: no frames");
    }
    if (frames.size() == 1) {
        return comparison_json(frames[0]);
    }
    nlohmann::json document = {{"nrmse", finite_or_null(mean(frames, &ImageComparison::nrmse))},
                               {"nrmse_scaled", finite_or_null(mean(frames, &ImageComparison::nrmse_scaled))},
                               {"nrmse_mask", finite_or_null(mean(frames, &ImageComparison::nrmse_mask))},
                               {"psnr_db", finite_or_null(mean(frames, &ImageComparison::psnr_db))},
                               {"snr_db", finite_or_null(mean(frames, &ImageComparison::snr_db))},
                               {"ssim", finite_or_null(mean(frames, &ImageComparison::ssim))}};
    for (const ImageComparison& frame : frames) {
        document["frames"].push_back(comparison_json(frame));
    }
    return document;
}

std::string comparison_table(std::span<const ImageComparison> frames) {
    std::string table = fmt::format("{:>5}  {:>11}  {:>11}  {:>11}  {:>9}  {:>9}  {:>7}  {:>7}  {}\n", "frame", "NRMSE",
                                    "scaled", "in mask", "PSNR", "SNR", "SSIM", "mask", "scale");
    for (std::size_t n = 0; n < frames.size(); ++n) {
        const ImageComparison& f = frames[n];
        const double mask_fraction = static_cast<double>(f.mask_voxel_count) / static_cast<double>(f.voxel_count);
        table += fmt::format(
            "{:>5}  {:>11}  {:>11}  {:>11}  {:>6.2f} dB  {:>6.2f} dB  {:>7.4f}  {:>5.1f} %  "
            "{:.4g} at {:.1f} deg\n",
            n, percent(f.nrmse), percent(f.nrmse_scaled), percent(f.nrmse_mask), f.psnr_db, f.snr_db, f.ssim,
            100 * mask_fraction, std::abs(f.scale), rounded(std::arg(f.scale) * 180 / pi, 1));
    }
    return table;
}

}  // namespace recon
