#pragma once

#include <string>

namespace recon {

/// A file, and which of its arrays: FILE:/dataset, as users write it.
struct FileAndDataset {
    std::string path;
    std::string dataset;  ///< "/maps/b0"; empty: none was named
};

/// Unless a file bears the whole name, what follows ":/" is the dataset.
FileAndDataset parse_file_and_dataset(const std::string& name);

}  // namespace recon
