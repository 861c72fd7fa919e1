#include "core/mri/metrics/image_metrics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/error.hpp"
#include "core/base/quantile.hpp"
#include "core/base/shape.hpp"

namespace recon {

namespace {

constexpr double mask_fraction = 0.05;
constexpr double mask_percentile = 0.99;

double magnitude(cfloat value) { return std::abs(cdouble(value)); }

void require_finite(std::span<const cfloat> voxels, PerAxis<Index> size, const char* role) {
    const auto bad = std::find_if(voxels.begin(), voxels.end(),
                                  [](cfloat v) { return !std::isfinite(v.real()) || !std::isfinite(v.imag()); });
    if (bad != voxels.end()) {
        const Index index = bad - voxels.begin();
        throw InputError(fmt::format(
            "comparison: the {} holds {}{:+}i at voxel x {}, y {}, z {}; expected finite "
            "numbers",
            role, bad->real(), bad->imag(), index % size[0], index / size[0] % size[1], index / (size[0] * size[1])));
    }
}

void require_comparable(std::span<const cfloat> image, std::span<const cfloat> reference, PerAxis<Index> size) {
    const Index expected = Shape::image(size).element_count();
    if (static_cast<Index>(image.size()) != expected || static_cast<Index>(reference.size()) != expected) {
        throw InputError(fmt::format("comparison: the image has {} voxels and the reference {}, expected {} for {}",
                                     image.size(), reference.size(), expected, Shape::image(size).text()));
    }
    require_finite(image, size, "image");
    require_finite(reference, size, "reference");
    if (std::all_of(reference.begin(), reference.end(), [](cfloat v) { return v == cfloat(0); })) {
        throw InputError("comparison: the reference is zero everywhere; there is nothing to compare with");
    }
}

/// The complex s that minimises |s a - b| on the mask.
cdouble fitted_scale(std::span<const cfloat> a, std::span<const cfloat> b, const std::vector<bool>& mask) {
    cdouble a_dot_b = 0;
    double a_dot_a = 0;
    for (std::size_t n = 0; n < a.size(); ++n) {
        if (mask[n]) {
            a_dot_b += std::conj(cdouble(a[n])) * cdouble(b[n]);
            a_dot_a += std::norm(cdouble(a[n]));
        }
    }
    return a_dot_a > 0 ? a_dot_b / a_dot_a : 0;
}

double decibels(double ratio) { return 20 * std::log10(ratio); }

double ratio_or_infinity(double numerator, double denominator) {
    return denominator > 0 ? numerator / denominator : std::numeric_limits<double>::infinity();
}

}  // namespace

std::vector<bool> signal_mask(std::span<const cfloat> reference) {
    std::vector<double> magnitudes(reference.size());
    std::transform(reference.begin(), reference.end(), magnitudes.begin(), magnitude);
    std::vector<bool> mask(reference.size());
    if (mask.empty()) {
        return mask;
    }
    const double threshold = mask_fraction * quantile(magnitudes, mask_percentile);
    for (std::size_t n = 0; n < mask.size(); ++n) {
        mask[n] = magnitudes[n] > threshold;
    }
    return mask;
}

ImageComparison compare_images(std::span<const cfloat> image, std::span<const cfloat> reference,
                               PerAxis<Index> matrix_size) {
    require_comparable(image, reference, matrix_size);
    const std::vector<bool> mask = signal_mask(reference);
    const cdouble scale = fitted_scale(image, reference, mask);

    double error = 0, error_scaled = 0, error_mask = 0;  // squared
    double reference_all = 0, reference_mask = 0, peak = 0;
    std::vector<float> image_magnitude(image.size()), reference_magnitude(image.size());
    for (std::size_t n = 0; n < image.size(); ++n) {
        const cdouble a = image[n], b = reference[n];
        const double scaled = std::norm(scale * a - b);
        error += std::norm(a - b);
        error_scaled += scaled;
        error_mask += mask[n] ? scaled : 0;
        reference_all += std::norm(b);
        reference_mask += mask[n] ? std::norm(b) : 0;
        peak = std::max(peak, std::abs(b));
    }
    // Magnitudes relative to the peak, so that float neither overflows nor loses digits.
    for (std::size_t n = 0; n < image.size(); ++n) {
        image_magnitude[n] = static_cast<float>(std::abs(scale * cdouble(image[n])) / peak);
        reference_magnitude[n] = static_cast<float>(magnitude(reference[n]) / peak);
    }

    const auto voxel_count = static_cast<Index>(image.size());
    return {
        .nrmse = std::sqrt(error / reference_all),
        .nrmse_scaled = std::sqrt(error_scaled / reference_all),
        .nrmse_mask = std::sqrt(error_mask / reference_mask),
        .psnr_db = decibels(ratio_or_infinity(peak, std::sqrt(error_scaled / static_cast<double>(voxel_count)))),
        .snr_db = decibels(ratio_or_infinity(std::sqrt(reference_mask), std::sqrt(error_mask))),
        .ssim = mean_ssim(image_magnitude, reference_magnitude, matrix_size, 1.0),
        .scale = scale,
        .voxel_count = voxel_count,
        .mask_voxel_count = std::count(mask.begin(), mask.end(), true),
    };
}

Deviation deviation(std::span<const cfloat> found, std::span<const cdouble> exact) {
    if (found.size() != exact.size() || exact.empty()) {
        throw ShapeError(fmt::format("deviation: {} numbers, {} exact ones", found.size(), exact.size()));
    }
    double largest = 0, error = 0, energy = 0, peak = 0;
    for (std::size_t n = 0; n < exact.size(); ++n) {
        const double difference = std::abs(cdouble(found[n]) - exact[n]);
        largest = std::isnan(largest) || difference <= largest ? largest : difference;  // keeps what is not a number
        error += difference * difference;
        energy += std::norm(exact[n]);
        peak = std::max(peak, std::abs(exact[n]));
    }
    const double rms = std::sqrt(error / static_cast<double>(exact.size()));
    return {.largest = largest,
            .relative_l2 = std::sqrt(error / energy),
            .psnr_db = decibels(ratio_or_infinity(peak, rms)),
            .snr_db = decibels(ratio_or_infinity(std::sqrt(energy), std::sqrt(error)))};
}

}  // namespace recon
