#pragma once

#include <string>

#include "data/files/hdf5_file.hpp"

namespace recon {

/// Copies a dataset of numbers or texts, or a group with all that lies in it, from one file into another, a part at a
/// time. Groups on the way to `to_name` are made.
/// @throws InputError if it is not there, or cannot be read or written
void copy_object(const H5File& from, const std::string& from_name, H5File& to, const std::string& to_name);

}  // namespace recon
