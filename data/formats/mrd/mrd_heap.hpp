#pragma once

#include <hdf5.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/base/types.hpp"

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

    /// @param column  "data" or "traj"
    MrdHeap(hid_t file, hid_t dataset, const char* column);

    /// Visits rows, each once or more often. @param number_counts  of each row, as its head announces
    /// @return false if HDF5 has to do it: all of them again
    bool visit(std::span<const Index> rows, std::span<const std::size_t> number_counts, const Consume& consume) const;

private:
    struct Reference {
        std::uint32_t number_count;
        std::uint32_t object;   ///< its number in the collection
        Index collection_byte;  ///< in the file
    };
    bool find_references(std::span<const Index> rows, std::vector<Reference>& references) const;
    bool is_ordinary(hid_t file, hid_t dataset, const char* column);

    hid_t dataset_;
    int descriptor_ = -1;
    std::size_t row_bytes_ = 0;
    std::size_t reference_byte_ = 0;      ///< in a row
    std::vector<hsize_t> chunk_extents_;  ///< of the table
    bool usable_;
};

}  // namespace recon
