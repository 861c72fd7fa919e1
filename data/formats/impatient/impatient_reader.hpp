#pragma once

#include <string>

#include "data/reading/scan_reader.hpp"

namespace recon {

/// A folder of .dat files as written for IMPATIENT and its predecessors [Stone 2008, Gai 2013]. (docs/file-formats.md)
class ImpatientReader final : public ScanReader {
public:
    explicit ImpatientReader(const std::string& folder) : folder_(folder) {}
    static bool recognises(const std::string& folder);

    std::string format() const override { return "IMPATIENT"; }
    StoredScan read(const ScanReadOptions& options) const override;

private:
    std::string folder_;
};

}  // namespace recon
