#pragma once

#include <dcmtk/config/osconfig.h>
#include <dcmtk/dcmdata/dctk.h>
#include <fmt/format.h>

#include <limits>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/types.hpp"

namespace recon {

/// A data set of DICOM; every step is checked.
class DicomItem {
public:
    DicomItem(DcmItem& item, const std::string& path) : item_(item), path_(path) {}
    void text(const DcmTagKey& tag, const std::string& value) const {
        check(item_.putAndInsertString(tag, value.c_str()));
    }
    void count(const DcmTagKey& tag, Index value) const {
        if (value < 0 || value > static_cast<Index>(std::numeric_limits<Uint16>::max())) {
            throw InputError(fmt::format("{}: {} voxels along an axis are more than DICOM can count", path_, value));
        }
        check(item_.putAndInsertUint16(tag, static_cast<Uint16>(value)));
    }
    void index(const DcmTagKey& tag, std::size_t value) const {
        check(item_.putAndInsertUint32(tag, static_cast<Uint32>(value)));
    }
    void indices(const DcmTagKey& tag, const std::vector<Uint32>& values) const {
        check(item_.putAndInsertUint32Array(tag, values.data(), values.size()));
    }
    void pointer(const DcmTagKey& tag, const DcmTagKey& value) const { check(item_.putAndInsertTagKey(tag, value)); }
    void empty(const DcmTagKey& tag) const { check(item_.insertEmptyElement(tag)); }
    void pixels(const std::vector<Uint16>& values) const {
        check(item_.putAndInsertUint16Array(DCM_PixelData, values.data(), values.size()));
    }
    /// The item of that number of a sequence, new if need be.
    DicomItem below(const DcmTagKey& sequence, std::size_t item = 0) const {
        DcmItem* found = nullptr;
        check(item_.findOrCreateSequenceItem(sequence, found, static_cast<long>(item)));
        return {*found, path_};
    }

private:
    void check(const OFCondition& done) const {
        if (done.bad()) {
            throw InputError(fmt::format("{}: making DICOM failed: {}", path_, done.text()));
        }
    }
    DcmItem& item_;
    const std::string& path_;
};

}  // namespace recon
