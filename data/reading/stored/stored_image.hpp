#pragma once

#include <string>
#include <vector>

#include "core/mri/image.hpp"

namespace recon {

/// An image as it lies in a file.
struct StoredImage {
    std::string dataset;  ///< where it was found: "/image"; empty where the format has no datasets
    Image image;
    bool is_real = false;  ///< the file holds real numbers
};

/// An image without voxels of these extents, slowest first: the last three are z, y, x, those before them are frames,
/// counted as repetitions. Axes may be missing.
Image image_of_extents(std::vector<Index> extents);

/// @param title  of the format, with an article. @throws InputError if a dataset is named where there are none
void require_no_dataset(const std::string& path, const std::string& dataset, const std::string& title);

}  // namespace recon
