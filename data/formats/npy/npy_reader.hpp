#pragma once

#include <optional>
#include <string>
#include <vector>

#include "data/formats/npy/zip_archive.hpp"
#include "data/reading/scan_reader.hpp"
#include "data/reading/stored/stored_array.hpp"

namespace recon {

/// The arrays of an .npz file by their names, or the only one of an .npy file, which has the name "".
class NpyArrays {
public:
    /// @throws InputError if it cannot be read
    explicit NpyArrays(const std::string& path);
    std::vector<std::string> names() const;
    bool has(const std::string& name) const;
    StoredArray read(const std::string& name) const;
    std::string read_text(const std::string& name) const;  ///< of an .npz file

private:
    std::string path_;
    std::vector<std::byte> bytes_;  ///< of an .npy file
    std::optional<ZipArchive> archive_;
};

/// K-space [sample], [coil, sample], [coil, readout, sample] or [frame, coil, readout, sample] from an .npy file, or an
/// .npz file that may have the trajectory, matrix and all else of a scan beside it (docs/file-formats.md).
class NpyReader final : public ScanReader {
public:
    explicit NpyReader(std::string path) : path_(std::move(path)) {}
    std::string format() const override { return "NumPy"; }
    StoredScan read(const ScanReadOptions& options) const override;

private:
    std::string path_;
};

}  // namespace recon
