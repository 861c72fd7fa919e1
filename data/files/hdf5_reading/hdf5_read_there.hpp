#pragma once

#include <string>
#include <vector>

#include "data/files/hdf5_file.hpp"
#include "data/files/hdf5_reading/hdf5_straight_read.hpp"
#include "data/files/reading_process/reading_room.hpp"

// What the library does for H5File's reading, where it may read the file (call_there). Each throws InputError where it
// cannot, or where a type contradicts itself.
namespace recon {

/// What is to be known of a dataset before its elements are read.
struct Hdf5Look {
    bool exists = false;
    H5Info info;
    Hdf5Stored stored;
};
template <class Look>
requires std::is_same_v<std::remove_const_t<Look>, Hdf5Look>
auto message_members(Look& look) { return std::tie(look.exists, look.info, look.stored); }

Hdf5Look dataset_look_there(const H5File& file, const std::string& dataset);
H5Info attribute_info_there(const H5File& file, const std::string& object, const std::string& name);

/// Numbers converted to T, of a block of a dataset; of one without axes where the block has none.
template <class T>
SharedBlock numbers_there(const H5File& file, const std::string& dataset, const std::vector<Index>& start,
                          const std::vector<Index>& block, const ReadingRoom& room);
template <class T>
std::vector<T> attribute_numbers_there(const H5File& file, const std::string& object, const std::string& name);

std::vector<std::string> texts_there(const H5File& file, const std::string& dataset);
std::vector<std::string> attribute_texts_there(const H5File& file, const std::string& object, const std::string& name);

}  // namespace recon
