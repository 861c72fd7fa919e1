#include "app/reconstruction/priors/prior_images.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/error.hpp"
#include "core/base/log.hpp"
#include "core/mri/grids/resample.hpp"
#include "core/operators/penalties/edge_weights.hpp"
#include "data/reading/placed_image_reader.hpp"
#include "data/simulation/noise.hpp"

namespace recon {
namespace {

constexpr double least_covered_share = 0.25;

std::optional<Image> read_volume(const std::string& path, const std::string& option) {
    if (path.empty()) {
        return std::nullopt;
    }
    Image image = read_placed_image(path).image;
    const std::string name = option + " " + path;
    if (image.frame_count() != 1) {
        throw InputError(fmt::format("{}: holds {} images, expected one", name, image.frame_count()));
    }
    if (!std::all_of(image.voxels.begin(), image.voxels.end(),
                     [](cfloat v) { return std::isfinite(v.real()) && std::isfinite(v.imag()); })) {
        throw InputError(name + ": holds values that are not finite (NaN or infinite); expected numbers");
    }
    if (std::all_of(image.voxels.begin(), image.voxels.end(), [&](cfloat v) { return v == cfloat(0); })) {
        throw InputError(name + ": is zero everywhere; expected an image of the object");
    }
    return image;
}

std::vector<float> magnitudes_of(const Image& image) {
    std::vector<float> magnitudes(image.voxels.size());
    std::transform(image.voxels.begin(), image.voxels.end(), magnitudes.begin(), [](cfloat v) { return std::abs(v); });
    return magnitudes;
}

Geometry place_of(const Image& image) {
    Geometry geometry = image.geometry;
    geometry.orientation = image.orientation(0);
    return geometry;
}

}  // namespace

PriorImages read_prior_images(const std::string& reference_path, const std::string& mask_path) {
    PriorImages images;
    images.reference_path = reference_path;
    images.reference = read_volume(reference_path, "`prior_image`");
    if (images.reference) {
        const std::vector<cfloat>& voxels = images.reference->voxels;
        if (std::all_of(voxels.begin(), voxels.end(), [&](cfloat v) { return v == voxels.front(); })) {
            throw InputError(fmt::format("`prior_image` {}: the same value everywhere; expected an image with edges",
                                         reference_path));
        }
    }
    images.mask_path = mask_path;
    images.mask = read_volume(mask_path, "`mask`");
    return images;
}

PlacedImage place_on_grid(const Image& image, const Geometry& grid, const std::string& name) {
    const std::vector<float> magnitudes = magnitudes_of(image);
    const Geometry source = place_of(image);
    Resampled<float> resampled = resample(std::span<const float>(magnitudes), source, grid, name);
    PlacedImage placed;
    placed.covered_share = 1 - resampled.outside_fraction;
    if (placed.covered_share < least_covered_share) {
        throw InputError(
            fmt::format("{}: reaches {:.0f} % of the image's voxels ({}, the image {}); expected an image of "
                        "the same object in the same session, or one registered to it",
                        name, 100 * placed.covered_share, grid_text(source), grid_text(grid)));
    }
    log_info("{}: {}", name, resampled.text);
    placed.magnitudes = std::move(resampled.voxels);
    placed.covered = std::move(resampled.coverage);
    return placed;
}

double placed_difference_noise(const Image& image, const Geometry& grid, const std::string& name) {
    std::vector<cfloat> complex_noise(image.voxels.size());
    constexpr std::uint64_t seed = 1, stream = 0;
    add_noise(complex_noise, std::sqrt(2.0), seed, stream);  // 1 in the real part
    std::vector<float> noise(complex_noise.size());
    std::transform(complex_noise.begin(), complex_noise.end(), noise.begin(), [](cfloat v) { return v.real(); });
    const Resampled<float> placed = resample(std::span<const float>(noise), place_of(image), grid, name);
    const double covered_share = 1 - placed.outside_fraction;
    const double gain = difference_rms(placed.voxels, grid.matrix_size) / std::sqrt(covered_share);
    return gain * voxel_noise(magnitudes_of(image), image.geometry.matrix_size);
}

}  // namespace recon
