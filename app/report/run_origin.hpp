#pragma once

#include <future>
#include <optional>
#include <string>

#include "data/files/run_record.hpp"

namespace recon {

/// The digest of a scan, computed beside the reconstruction by a thread of its own. Of folders and very large files
/// none.
class ScanDigest {
public:
    explicit ScanDigest(const std::string& path);
    /// SHA-256 as 64 hexadecimal digits, as sha256sum gives it; waits for it.
    std::optional<std::string> text();

private:
    std::future<std::optional<std::string>> digest_;
};

/// The machine's name, the version and the commit that the program was built from, "unknown" where that could not be
/// told.
RunRecord program_record();

}  // namespace recon
