#pragma once

#include <memory>
#include <string>

#include "data/reading/scan_reader.hpp"

namespace recon {

/// K-space of BART: [1, samples, readouts, coils] beside a trajectory of its own, or a Cartesian grid [x, y, z, coils],
/// whose samples that are 0 in all coils were not measured. Frames are TE (contrast), TIME (repetition), TIME2 (phase),
/// SLICE and BATCH (set).
class BartReader final : public ScanReader {
public:
    explicit BartReader(std::string path) : path_(std::move(path)) {}
    std::string format() const override { return "BART"; }
    StoredScan read(const ScanReadOptions& options) const override;

private:
    std::string path_;
};

}  // namespace recon
