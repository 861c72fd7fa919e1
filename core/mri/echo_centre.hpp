#pragma once

#include <memory>
#include <vector>

#include "core/base/types.hpp"
#include "core/fourier/trajectory.hpp"
#include "core/mri/all_coils.hpp"

namespace recon {

/// Where k-space holds the most signal, in whole cycles per FOV: the mean energy of the cells within 2 cycles along
/// each axis, each the mean of its samples, is greatest there, with zeros where the trajectory does not reach. A
/// gradient of the main field or a delay of the gradients moves it away from k = 0 by gradient x time; a move of less
/// than 3 cycles, or to where there is hardly more than at k = 0, counts as none.
/// @param matrix_size  looked for within half of it along each axis, at most 48 cycles
/// @return (0, 0, 0) if it did not move
PerAxis<double> echo_centre(const Trajectory& trajectory, const AllCoils& kspace, const PerAxis<Index>& matrix_size);

/// The same with the origin of k-space at `centre`; the same object if that is where it is.
std::shared_ptr<const Trajectory> relative_to(const PerAxis<double>& centre,
                                              const std::shared_ptr<const Trajectory>& trajectory);

/// The image that k-space about `centre` is of: multiplied by exp(-i 2 pi centre.r). @param image  [x y z]
std::vector<cfloat> relative_to(const PerAxis<double>& centre, std::vector<cfloat> image,
                                const PerAxis<Index>& matrix_size);

}  // namespace recon
