#pragma once

#include <string>

#include "data/files/hdf5_file.hpp"
#include "data/reading/scan_reader.hpp"

namespace recon {

/// The project's own HDF5 layout. (docs/file-formats.md)
class ReconHdf5Reader final : public ScanReader {
public:
    explicit ReconHdf5Reader(const std::string& path) : path_(path) {}
    static bool recognises(const H5File& file);

    std::string format() const override { return "recon HDF5"; }
    StoredScan read(const ScanReadOptions& options) const override;

private:
    std::string path_;
};

}  // namespace recon
