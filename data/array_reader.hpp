#pragma once

#include <string>
#include <vector>

#include "core/types.hpp"

namespace recon {

class H5File;

/// Coil maps for an image, [x y z coil], from any HDF5 file: the project's own, an MRD array, or numbers by another
/// program with the axes [coil z y x]; axes of extent 1 may be missing or added anywhere.
/// @param dataset  path in the file; empty: coil_maps, csm, sensitivities or maps in the root or in a group of it, else
/// the only array that fits
/// @throws InputError if there are none, or they are for another matrix or number of coils, or are not finite
std::vector<cfloat> read_coil_maps(const std::string& path, const PerAxis<Index>& matrix_size, Index coil_count,
                                   const std::string& dataset = "");

/// Paths of all datasets of numbers in a file. Links that lead nowhere or in circles are passed over.
std::vector<std::string> numeric_datasets(const H5File& file);

}  // namespace recon
