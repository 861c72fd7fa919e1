#pragma once

#include <utility>
#include <vector>

#include "core/fourier/trajectory.hpp"
#include "core/mri/gradients/gradient_delays.hpp"

namespace recon {

/// The elements of a symmetric matrix of delays that data of some axes can tell, as unknowns of a least squares
/// problem: those of one axis, and those between two.
class DelayElements {
public:
    explicit DelayElements(const PerAxis<bool>& axes);

    std::size_t count() const { return all_.size(); }
    GradientDelays delays(const std::vector<double>& values) const;
    std::vector<double> values(const GradientDelays& delays) const;

    /// How positions move with each element. @param steps  of a readout at each sample, cycles per FOV
    std::vector<Trajectory> changes(const Trajectory& steps) const;

private:
    std::vector<std::pair<std::size_t, std::size_t>> all_;  ///< row, column
};

}  // namespace recon
