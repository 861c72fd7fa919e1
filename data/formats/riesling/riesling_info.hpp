#pragma once

#include <optional>

#include "core/mri/scan.hpp"
#include "data/files/hdf5_file.hpp"

namespace recon {

/// What RIESLING's compound `info` says of the image.
struct RieslingInfo {
    std::optional<PerAxis<Index>> matrix_size;        ///< before version 1
    PerAxis<double> voxel_size_mm{};                  ///< 0 where unknown
    PerAxis<double> origin_mm{};                      ///< centre of the voxel 0, 0, 0, LPS
    std::optional<std::array<double, 9>> directions;  ///< unit vectors of x, y, z, one after the other

    /// Where an image of this matrix lies, in our convention; none if the directions are unusable.
    std::optional<Orientation> orientation(const PerAxis<Index>& matrix) const;
};

/// @throws InputError if there is no such dataset, or it cannot be read
RieslingInfo read_riesling_info(const H5File& file);

}  // namespace recon
