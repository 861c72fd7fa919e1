#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "data/simulation/phantoms/phantom.hpp"
#include "data/simulation/simulate_scan.hpp"

namespace recon {

/// A phantom in the axes that a matrix has.
struct PhantomObject {
    std::unique_ptr<Phantom> phantom;
    PerAxis<bool> present;
    PerAxis<double> section;  ///< where absent axes cut it, fields of view
};

/// The phantom of that name, seen by voxels of `matrix_size`: rounded by the options' Gaussian in units of these
/// voxels, random parts as fine as these voxels show.
/// @throws UsageError if there is no such phantom, or the Gaussian's width cannot be
PhantomObject phantom_object(std::string_view name, const SimulationOptions& options, PerAxis<Index> matrix_size);

/// The object at the voxel centres or, for sharp edges, its mean over each voxel (4 points an axis). @return [x y z]
std::vector<cfloat> voxel_values(const PhantomObject& object, PerAxis<Index> matrix_size);

/// The proton image that goes with a scan of the phantom: the same head in the same place, on voxels of its own,
/// magnitude of an image with complex white noise.
/// @param matrix_size  voxels, as many axes above 1 as the scan has
/// @param snr          mean magnitude of the object over the noise's standard deviation in a voxel; infinite for none
/// @throws UsageError if the axes are not those of the scan, or the phantom has no proton image
Image simulate_reference_image(const SimulationOptions& options, PerAxis<Index> matrix_size, double snr);

}  // namespace recon
