#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/mri/all_coils.hpp"

namespace recon {

/// Coils of which every number is zero.
/// @param values  k-space or maps
std::vector<Index> coils_of_zeros(const AllCoils& values);

/// Readouts of which every sample of every coil is zero.
/// @param length  samples of a readout; 0: they differ, and none is found
std::vector<Index> readouts_of_zeros(const AllCoils& kspace, Index length);

/// "real" or "imaginary" where that part of every number is zero; empty: both hold something. No scan is so by itself,
/// but for one of an object that is real and symmetric about the centre.
std::string part_of_zeros(const AllCoils& kspace);

/// The elements of `coil_count` coils that are not among `dropped`.
/// @param values  [... coil]; may be empty
void keep_other_coils(std::vector<cfloat>& values, Index coil_count, const std::vector<Index>& dropped);

/// Leaves coils out of k-space of all frames, of noise and of coil maps.
/// @param dropped  ascending  @throws InputError if one does not exist, or none is left
void drop_coils(Scan& scan, const std::vector<Index>& dropped);

}  // namespace recon
