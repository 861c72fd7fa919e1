#pragma once

#include <string>
#include <vector>

#include "data/files/hdf5_file.hpp"

namespace recon {

/// The axes of one dataset by name, slowest first: from its attribute `axes`, else by its rank. Products of their
/// extents can be counted, and are not zero.
class NamedAxes {
public:
    /// @param allowed  every name the dataset may have, in the order in which they must appear
    /// @param by_rank  for a dataset without the attribute: the names for rank 1, 2, ...; empty where there are none
    /// @throws InputError if the names are not these, or do not match the rank, or the dataset is empty or larger than
    /// the file can be
    NamedAxes(const H5File& file, const std::string& dataset, const std::vector<std::string>& allowed,
              const std::vector<std::vector<std::string>>& by_rank);

    bool has(const std::string& name) const;
    /// 1 if there is no such axis.
    Index extent(const std::string& name) const;

private:
    std::vector<std::string> names_;
    std::vector<Index> extents_;
};

}  // namespace recon
