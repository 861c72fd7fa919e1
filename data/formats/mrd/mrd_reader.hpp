#pragma once

#include <optional>
#include <string>

#include "data/files/hdf5_file.hpp"
#include "data/reading/scan_reader.hpp"

namespace recon {

/// ISMRMRD / MRD raw data in HDF5 [Inati 2017]. docs/file-formats.md says what of it is used.
class MrdReader final : public ScanReader {
public:
    explicit MrdReader(const std::string& path) : path_(path) {}
    /// The group that holds acquisitions, whatever its name; nothing if there is none.
    static std::optional<std::string> find_group(const H5File& file);

    std::string format() const override { return "MRD"; }
    StoredScan read(const ScanReadOptions& options) const override;

private:
    std::string path_;
};

}  // namespace recon
