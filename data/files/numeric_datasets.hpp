#pragma once

#include <string>
#include <vector>

#include "data/files/hdf5_file.hpp"

namespace recon {

/// Whether something holds numbers, at least one.
bool is_numeric(const H5Info& info);

/// Paths of the first thousand datasets of numbers in a file. Links that lead nowhere are passed over.
/// @throws InputError if groups lead back to themselves, or lie more than 32 levels deep
std::vector<std::string> numeric_datasets(const H5File& file);

}  // namespace recon
