#pragma once

#include <string>
#include <vector>

#include "core/base/types.hpp"
#include "data/reading/maps_of_slices.hpp"

namespace recon {

/// Coil maps for an image from any HDF5 file: the project's own, an MRD array, or numbers by another
/// program with the axes [coil z y x]; axes of extent 1 may be missing or added anywhere.
/// With the slice as the slowest axis before them, BART's SLICE, they are of several, counted from 0; in an image of
/// several slices each has its own, /frame_N/coil_maps.
/// From a format of arrays (BART, NumPy): [coil z y x] likewise; from one that holds an image alone (NIfTI): a frame a
/// coil.
/// @param dataset  path in the file; empty: coil_maps, csm, sensitivities or maps in the root, else the only one of
/// them in a group, else the only array that fits
/// @throws InputError if there are none, or they are for another matrix or number of coils, or are not finite
StoredCoilMaps read_coil_maps(const std::string& path, const PerAxis<Index>& matrix_size, Index coil_count,
                              const std::string& dataset = "");

/// Extents of the maps that read_coil_maps would read from a format of arrays or from HDF5, slowest first; none where
/// there are no such maps.
std::vector<Index> extents_of_coil_maps(const std::string& path, const std::string& dataset = "");

/// Noise covariance Psi[c,c'] = E n_c conj(n_c'), column-major, from a dataset [c, c'] named noise_covariance or
/// covariance, else the only one that fits; or from a format of arrays, [c, c'] in C order. @throws InputError as above
std::vector<cdouble> read_noise_covariance(const std::string& path, Index coil_count, const std::string& dataset = "");

}  // namespace recon
