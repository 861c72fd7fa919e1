#pragma once

#include <string>

namespace recon {

/// Has a process of its own walk through an HDF5 file before this one reads it. A file that has been found sound, and
/// has not changed since, is not walked through again. Anything but an HDF5 file is none of its business.
/// @throws InputError if the library crashes on it, hangs or takes all memory, or the walk refuses it
void require_sound_hdf5(const std::string& path);

/// Goes through all that an HDF5 file says of itself, as its readers would: every group, dataset, type and attribute,
/// small datasets and texts with their contents, of large ones where their parts lie. What cannot be opened is passed
/// over, as whoever looks for it will be told so.
///
/// The numbers of large datasets are not read: for the most part they go past the library (hdf5_straight_read.hpp).
/// Those that have gone through other filters than shuffle and deflate are, as the code of these runs then.
///
/// @throws InputError if something leads out of the file (external links and storage, virtual datasets), groups lie in
/// each other in a circle or too deep, there are too many objects, or a type contradicts itself
void walk_hdf5(const std::string& path);

}  // namespace recon
