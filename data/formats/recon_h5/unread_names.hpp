#pragma once

#include <string>

#include "data/files/hdf5_file.hpp"

namespace recon {

/// Whether a name is one of frame_0, frame_1 and so on.
bool is_frame(const std::string& name);

/// Names what lies in a scan file of the project's layout beside what the layout knows, and so is not read: a warning
/// where a name that is missing was likely meant ("coilmaps"), else a line of the log.
void log_unread_names(const H5File& file);

/// @throws InputError if a group, or a link to nothing, bears the name of a dataset of the layout
void require_datasets(const H5File& file);

}  // namespace recon
