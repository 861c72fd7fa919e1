#pragma once

#include <string>
#include <vector>

#include "data/files/hdf5_file.hpp"

namespace recon {

/// Whether something holds numbers, at least one.
bool is_numeric(const H5Info& info);

/// Paths of all datasets of numbers in a file. Links that lead nowhere or in circles are passed over.
std::vector<std::string> numeric_datasets(const H5File& file);

}  // namespace recon
