#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/mri/image.hpp"

namespace recon {

/// Images that priors take beside the scan, as their files have them.
struct PriorImages {
    std::string reference_path;
    std::optional<Image> reference;  ///< of the anatomical prior
    std::string mask_path;
    std::optional<Image> mask;  ///< the image is zero where this one is
};

/// Reads them; an empty path means none.
/// @throws InputError if a file cannot be read, has several frames, values that are not finite, or the same value
/// everywhere
PriorImages read_prior_images(const std::string& reference_path, const std::string& mask_path);

/// An image on the reconstruction's grid.
struct PlacedImage {
    std::vector<float> magnitudes;  ///< [x y z]; 0 where the image does not reach
    std::vector<float> covered;     ///< [x y z], 1 where it does
    double covered_share = 1;       ///< of the grid
};

/// The magnitude of an image at the voxels of a grid: by geometry where both files give it, else by equal fields of
/// view. Where the image is finer, the mean over each voxel; else linear interpolation.
/// @param name  for messages: option and file
/// @throws InputError if fields of view or matrices cannot be those of one object, or the image reaches less than a
/// quarter
///         of the grid
PlacedImage place_on_grid(const Image& image, const Geometry& grid, const std::string& name);

/// Standard deviation of the noise in the difference of two neighbours of the placed image: that in a voxel of the
/// image itself, times what placing makes of white noise.
double placed_difference_noise(const Image& image, const Geometry& grid, const std::string& name);

}  // namespace recon
