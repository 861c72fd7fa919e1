#pragma once

#include <functional>
#include <vector>

#include "core/mri/all_coils.hpp"

namespace recon {

/// The constant that a receiver has added to every sample of a coil (DC offset): a dot in the middle of the image. It
/// is the mean of the outer half of k-space, where that
///
/// - is three times as large as at any of 64 other places of the field of view, and eight times as at these on the
///   average (the mean with the phase of that place): edges of an object make no such dot,
/// - is the same in both halves of that half, by radius, and
/// - is between a two-hundredth and half of the root mean square of the coil's samples: less does no harm, and more is
///   an object that is a dot.
///
/// @return [coil], in units of k-space; 0: none is found
std::vector<cdouble> receiver_offsets(const AllCoils& kspace, const Trajectory& trajectory,
                                      const PerAxis<Index>& matrix_size);

/// Those that have one, ascending.
std::vector<Index> coils_of(const std::vector<cdouble>& offsets);

/// Subtracts them, of every frame those that are found in it, when it is in memory; and from the noise scan its mean.
/// @param found  is told the number of a frame and its coils, each time
void remove_receiver_offsets(Scan& scan,
                             const std::function<void(Index frame, const std::vector<Index>& coils)>& found = {});

}  // namespace recon
