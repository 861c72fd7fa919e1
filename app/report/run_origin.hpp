#pragma once

#include <optional>
#include <string>
#include <thread>

#include "data/files/run_record.hpp"

namespace recon {

/// The digest of a scan, computed beside the reconstruction by a thread of its own, which ends with this object at
/// once. Of folders and very large files none.
class ScanDigest {
public:
    explicit ScanDigest(const std::string& path);
    ScanDigest(const ScanDigest&) = delete;
    ScanDigest& operator=(const ScanDigest&) = delete;
    /// SHA-256 as 64 hexadecimal digits, as sha256sum gives it; waits for it. Call it once.
    std::optional<std::string> text();

private:
    std::string path_;
    std::optional<std::string> text_;
    std::jthread thread_;  ///< none where the system refuses it; ends before what it writes to
};

/// The machine's name, the version and the commit that the program was built from, "unknown" where that could not be
/// told.
RunRecord program_record();

}  // namespace recon
