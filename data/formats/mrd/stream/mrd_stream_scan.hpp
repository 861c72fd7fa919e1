#pragma once

#include <string>

#include "core/mri/scan.hpp"
#include "data/reading/scan_reader.hpp"

namespace recon {

/// A scan out of a stream of MRD: its header and its acquisitions, as of a file in HDF5 (mrd_reader.hpp).
class MrdStreamReader final : public ScanReader {
public:
    explicit MrdStreamReader(const std::string& path) : path_(path) {}
    std::string format() const override { return "MRD stream"; }
    StoredScan read(const ScanReadOptions& options) const override;

private:
    std::string path_;
};

/// Header, acquisitions and the close of a stream. Coil maps, field maps and weights have no place in one: left out,
/// with a warning. @throws as write_mrd
void write_mrd_stream(const Scan& scan, const std::string& path);

}  // namespace recon
