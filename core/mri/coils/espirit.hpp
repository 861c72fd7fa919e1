#pragma once

#include <optional>
#include <vector>

#include "core/backend/backend.hpp"
#include "core/backend/coil_matrices.hpp"
#include "core/mri/coils/calibration_region.hpp"
#include "core/parallel/communicator.hpp"

namespace recon {

struct EspiritOptions {
    /// Kernel in Cartesian samples of k-space along each axis; 0: half of the calibration radius, at most 6
    Index kernel_width = 0;
    /// Eigenvalue below which maps are set to 0; below 0: the one that minimises the expected error
    double crop = -1;
};

/// How maps came about, for the log.
struct EspiritReport {
    Index kernel_width = 0;   ///< along the longest axis
    Index patch_count = 0;    ///< rows of the calibration matrix
    Index column_count = 0;   ///< columns: points of the kernel times coils
    Index rank = 0;           ///< singular vectors that count as signal
    double threshold = 0;     ///< smallest singular value of these, relative to the largest
    double noise = 0;         ///< standard deviation of calibration k-space as seen in the rest of the spectrum
    double crop = 0;          ///< eigenvalue below which maps are 0
    double cropped_part = 0;  ///< of the voxels
};

/// Coil maps by ESPIRiT [Uecker 2014]: k-space of the coils lies in the row space of its calibration matrix, of patches
/// of Cartesian k-space; seen in the image domain, the maps are at every voxel the eigenvector of eigenvalue 1 of
///
///     G(r) = sum_q C(q)^T exp(-i 2 pi q.r),   C[c,c'](q) = sum over k - k' = q of P[(k,c),(k',c')] / (points k),
///
/// with P the projection on that row space, k and k' in the kernel, here the points of an ellipsoid. G is evaluated at
/// the voxels themselves, without interpolation, for any number of grids.
///
/// Singular values count as signal above the edge of what the noise gives [Marchenko 1967], its level taken
/// from the smaller ones, and above 1e-3 of the largest. Cropping minimises Stein's estimate of the squared error of
/// the calibration image projected on the maps, after [Iyer 2020]: voxels of eigenvalues whose signal is below the
/// noise. Phases are those relative to the principal component of the coils.
class Espirit {
public:
    /// @throws InputError if calibration k-space is zero, Cancelled
    Espirit(const CalibrationKspace& calibration, const EspiritOptions& options);

    /// Of points closer than a cycle per FOV: their maps repeat with a wider field of view, as need those of an object
    /// that touches opposite borders of this one, where coils see it with other weights. They are cropped as these
    /// are: the kernel of so many points is narrower, and tells an object from air less near to it.
    /// @param calibration  of the same images
    Espirit of_wider_field_of_view(const CalibrationKspace& calibration) const;

    /// @param coils  whose maps are wanted; none: all
    /// @return [x y z coil], of unit root-sum-of-squares where they are not cropped
    std::vector<cfloat> maps(Backend& backend, const PerAxis<Index>& matrix_size,
                             const std::optional<Share>& coils = {}, EspiritReport* report = nullptr) const;

private:
    struct SignalSpace;
    Espirit(const CalibrationKspace& calibration, const EspiritOptions& options, SignalSpace found);

    EspiritOptions options_;
    EspiritReport report_;  ///< of all that does not depend on the grid
    CoilMatrixField field_;
    std::optional<CoilMatrixField> wider_field_;  ///< where maps come from, if there is one
    TrigonometricField images_;                   ///< scaled like the calibration matrix, to a norm of 1
    double image_variance_;                       ///< of their noise
    std::vector<cfloat> reference_;
};

/// Those of one grid.
std::vector<cfloat> espirit_maps(Backend& backend, const CalibrationKspace& calibration,
                                 const PerAxis<Index>& matrix_size, const EspiritOptions& options,
                                 EspiritReport* report = nullptr);

/// What those of some coils take on the host besides themselves, and on the backend.
std::size_t espirit_host_bytes(const CalibrationRegion& region, Index coil_count, const PerAxis<Index>& matrix_size,
                               const EspiritOptions& options, Index points_per_cycle = 1);
std::size_t espirit_backend_bytes(const Backend& backend, const CalibrationRegion& region, Index coil_count,
                                  const PerAxis<Index>& matrix_size, Index stored_count, const EspiritOptions& options,
                                  Index points_per_cycle = 1);

}  // namespace recon
