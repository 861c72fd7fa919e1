#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>

#include "data/files/hdf5_file.hpp"

namespace recon {

/// The numbers of variable length in one column of a table, read past HDF5 and by several threads: HDF5 takes rows one
/// after the other, and copies each four times.
///
/// A row holds no more than where its numbers lie: in a collection of objects, the "global heap" of the file [HDF
/// Group, HDF5 File Format Specification 3.0, III.E]. Whatever is not as expected is left to HDF5, errors included.
class MrdHeap {
public:
    /// @param row  its place in the list that was asked for. Called by several threads at once
    using Consume = std::function<void(std::size_t row, std::span<const float> numbers)>;

    /// @param file  as long as this lives
    /// @param column  "data" or "traj"
    MrdHeap(const H5File& file, std::string dataset, std::string column)
        : file_(file), dataset_(std::move(dataset)), column_(std::move(column)) {}

    /// Visits rows, each once or more often. @param number_counts  of each row, as its head announces
    /// @return false if HDF5 has to do it: all of them again
    bool visit(std::span<const Index> rows, std::span<const std::size_t> number_counts, const Consume& consume) const;

private:
    const H5File& file_;
    std::string dataset_, column_;
};

}  // namespace recon
