#pragma once

#include <string>

namespace recon {

/// Opens an HDF5 file, which has the reading process walk through it, and closes it: for those who would rather know
/// before they begin. Anything but an HDF5 file is none of its business.
/// @throws InputError as H5File::open
void require_sound_hdf5(const std::string& path);

/// Goes through all that an HDF5 file says of itself, as its readers would: every group, dataset, type and attribute,
/// small datasets and texts with their contents, of large ones where their parts lie. What cannot be opened is passed
/// over, as whoever looks for it will be told so.
///
/// The numbers of large datasets are not read: for the most part they go past the library (hdf5_reading/hdf5_straight_read.hpp).
/// Those that have gone through other filters than shuffle and deflate are, as the code of these runs then.
///
/// @throws InputError if something leads out of the file (external links and storage, virtual datasets), groups lie in
/// each other in a circle or too deep, there are too many objects, or a type contradicts itself
/// @param opened_as  the path that leads to the file
void walk_hdf5(const std::string& path, const std::string& opened_as);

}  // namespace recon
