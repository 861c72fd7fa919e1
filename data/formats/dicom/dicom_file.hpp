#pragma once

#include <dcmtk/config/osconfig.h>
#include <dcmtk/dcmdata/dctk.h>

#include <memory>
#include <string>
#include <vector>

#include "core/base/types.hpp"

namespace recon {

/// A DICOM file that is read: one image of a scanner, or many in one file (multi-frame).
class DicomFile {
public:
    /// True if the file begins like one: 128 bytes of anything, then "DICM" (PS3.10, 7.1). False for missing files.
    static bool looks_like_one(const std::string& path);

    /// Reads what describes the image; its pixels stay in the file. @throws InputError if it is damaged
    explicit DicomFile(std::string path);

    const std::string& path() const { return path_; }
    bool has_pixels() const;
    /// Of an attribute of the whole file; empty if it has none.
    std::string text(const DcmTagKey& tag) const;
    Index frame_count() const;
    PerAxis<Index> matrix_size() const;  ///< of a frame: columns, rows, 1
    /// Numbers of an attribute of a frame: its own, else what its frames share, else the file's. @return empty if there
    /// is none, or it is not of numbers  @param group  the functional group that it is in (PS3.3, C.7.6.16)
    std::vector<double> numbers(Index frame, const DcmTagKey& group, const DcmTagKey& tag) const;

    /// Values of all frames, [x y frame], as the file scales them: slope times stored value plus intercept.
    /// @throws InputError for colours, values that are compressed or of another size, and fewer than the header says
    std::vector<float> values() const;

private:
    DcmDataset& data() const;
    Index count(const DcmTagKey& tag, Index otherwise) const;
    /// Of `bits`, not scaled.
    std::vector<double> stored_values(Index bits, std::size_t how_many) const;

    std::string path_;
    std::unique_ptr<DcmFileFormat> file_;  ///< loads large elements when they are asked for
};

}  // namespace recon
