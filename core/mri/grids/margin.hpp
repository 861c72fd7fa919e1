#pragma once

#include <span>
#include <vector>

#include "core/base/named_array.hpp"
#include "core/mri/scan.hpp"

namespace recon {

/// Voxels beyond each of the two borders of a field of view, along x y z: an object that goes on there is in the data,
/// and an image that has no room for it is wrong inside of the field.
using Margin = PerAxis<Index>;

bool is_empty(const Margin& margin);
/// The matrix with the margin on both sides. The voxel floor(N / 2) stays where it is.
PerAxis<Index> with_margin(PerAxis<Index> matrix_size, const Margin& margin);

/// Makes the scan one of that larger matrix, voxels of the same size: positions in k-space are in cycles of the larger
/// field of view. Coil maps and maps of off-resonance go on in the margin as they are at the border.
/// Numbers below 0 make the field of view smaller, and leave in the data what is beyond it.
void widen(Scan& scan, const Margin& margin);

/// What an image or map [x y z, anything] on the larger matrix has inside of the field. @param matrix_size  of the
/// field
template <class T>
std::vector<T> without_margin(std::span<const T> wide, const PerAxis<Index>& matrix_size, const Margin& margin);
/// The same of an array whose fastest axes are x y z of the larger matrix; others are as they were.
void remove_margin(NamedArray& array, const PerAxis<Index>& matrix_size, const Margin& margin);

}  // namespace recon
