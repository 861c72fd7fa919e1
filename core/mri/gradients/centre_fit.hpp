#pragma once

#include <Eigen/Dense>
#include <optional>
#include <vector>

#include "core/fourier/trajectory.hpp"

namespace recon {

/// Which samples lie around the centre, ascending: within radius_of_centre.
std::vector<Index> samples_around_centre(const Trajectory& positions, const PerAxis<bool>& axes);

/// The samples around the centre of k-space as those of a small image: least squares of all of them alike, for each
/// coil by itself, by voxels in an ellipsoid a little larger than the field of view. There are many more samples than
/// voxels, so that what no image can have is left over; an image of the whole band, or one that counts samples by the
/// volume that they stand for, would take most of it up.
class CentreFit {
public:
    /// @param positions  cycles per FOV  @param inside  those that are fitted, ascending: the same for all positions
    /// that are compared  @param data  [sample coil] of all
    CentreFit(const Trajectory& positions, const std::vector<Index>& inside, const PerAxis<bool>& axes,
              const Eigen::MatrixXcd& data);

    /// Whether there are many more samples than voxels, and signal in them; nothing below means anything else.
    bool is_determined() const { return is_determined_; }
    double energy() const { return data_.squaredNorm(); }
    double left() const { return rest_.squaredNorm(); }
    double freedom() const;  ///< samples of all coils less the values that were fitted, as far as the data tell these
    const Eigen::MatrixXcd& data() const { return data_; }  ///< [sample coil] of those inside
    const Eigen::MatrixXcd& rest() const { return rest_; }  ///< the same
    /// What an image would leave of other data there.
    Eigen::MatrixXcd without_image(const Eigen::MatrixXcd& data) const;

    /// What the fit leaves of the change of the data with positions, [sample coil] of those inside.
    Eigen::MatrixXcd unexplained_change(const Trajectory& change) const;

private:
    const std::vector<Index>& inside_;
    bool is_determined_ = false;
    Eigen::MatrixXd voxels_;  ///< [voxel axis], fields of view
    Eigen::MatrixXcd encoding_, data_, image_, rest_;
    Eigen::LLT<Eigen::MatrixXcd> normal_;
    mutable std::optional<double> freedom_;  ///< once asked for
};

}  // namespace recon
