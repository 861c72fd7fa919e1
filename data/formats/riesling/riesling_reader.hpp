#pragma once

#include <string>

#include "data/reading/scan_reader.hpp"

namespace recon {

/// RIESLING's HDF5: k-space `data` (`noncartesian` before version 1) [volume, slab, trace, sample, channel],
/// `trajectory` [trace, sample, dimension] and the geometry as a compound `info`. Volumes are repetitions, slabs are
/// slices.
class RieslingReader final : public ScanReader {
public:
    explicit RieslingReader(std::string path) : path_(std::move(path)) {}
    std::string format() const override { return "RIESLING"; }
    StoredScan read(const ScanReadOptions& options) const override;

    /// By the three names; false for any other file. @throws InputError if it is a damaged HDF5 file
    static bool recognises(const std::string& path);

private:
    std::string path_;
};

}  // namespace recon
