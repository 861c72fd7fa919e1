#pragma once

#include <vector>

#include "data/simulation/phantoms/ellipsoid_phantom.hpp"
#include "data/simulation/simulate_scan.hpp"

namespace recon {

/// A standard phantom in the axes that a matrix has.
struct PhantomObject {
    EllipsoidPhantom phantom;
    PerAxis<bool> present;
    PerAxis<double> section;  ///< where absent axes cut it, fields of view
    bool sharp;               ///< edges not rounded
};

/// Standard deviation of the Gaussian that rounds a phantom's edges unless asked for otherwise, voxels: 0.6 for the
/// brain. The others are sharp; sodium and its proton image are so one object on voxels of two sizes.
double default_edge_voxels(PhantomKind kind);

/// The phantom of `options`, seen by voxels of `matrix_size`: rounded by the options' Gaussian in units of these
/// voxels.
/// @throws UsageError if the Gaussian's width cannot be
PhantomObject phantom_object(PhantomKind kind, const SimulationOptions& options, PerAxis<Index> matrix_size);

/// The object at the voxel centres or, for sharp edges, its mean over each voxel (4 points an axis). @return [x y z]
std::vector<cfloat> voxel_values(const PhantomObject& object, PerAxis<Index> matrix_size);

/// The proton image that goes with a scan of the sodium phantom: the same head in the same place, on voxels of its own,
/// magnitude of an image with complex white noise.
/// @param matrix_size  voxels, as many axes above 1 as the scan has
/// @param snr          mean magnitude of the object over the noise's standard deviation in a voxel; infinite for none
/// @throws UsageError if the axes are not those of the scan, or the phantom is not `sodium`
Image simulate_reference_image(const SimulationOptions& options, PerAxis<Index> matrix_size, double snr);

}  // namespace recon
