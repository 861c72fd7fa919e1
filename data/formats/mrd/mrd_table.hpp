#pragma once

#include <cstddef>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include "data/files/hdf5_file.hpp"
#include "data/files/reading_process/shared_block.hpp"
#include "data/formats/mrd/mrd_acquisitions.hpp"

// What the library does with a table of acquisitions, a compound of head, traj and data, where it may read the file
// (call_there). Each throws InputError where it cannot.
namespace recon {

inline const char* mrd_column_of(MrdAcquisitions::Part part) {
    return part == MrdAcquisitions::Part::data ? "data" : "traj";
}

bool is_mrd_table_there(const H5File& file, const std::string& dataset);

/// That the file has of it, beside the samples.
Index mrd_table_bytes_there(const H5File& file, const std::string& dataset);

/// All heads. @param count  as many as there are
SharedBlock mrd_heads_there(const H5File& file, const std::string& dataset, const Index& count);

/// The numbers of rows, one row's after the other.
struct MrdRecords {
    std::vector<std::size_t> lengths;
    SharedBlock numbers;  ///< of no row if there are more in all than were announced
};
template <class Value>
requires std::is_same_v<std::remove_const_t<Value>, MrdRecords>
auto message_members(Value& records) { return std::tie(records.lengths, records.numbers); }

/// @param wanted  rows, in ascending order, at least one
/// @param most  numbers in all
MrdRecords mrd_records_there(const H5File& file, const std::string& dataset, const MrdAcquisitions::Part& part,
                             const std::vector<Index>& wanted, const std::size_t& most);

}  // namespace recon
